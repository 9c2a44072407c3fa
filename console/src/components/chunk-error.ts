/** The words browsers use when a part of the program cannot be fetched, as after a new release. */
const WORDS =
  /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload css/i;

export function isChunkError(error: unknown): boolean {
  return error instanceof Error && WORDS.test(error.message);
}
