/** For failures that the specification wants logged and nothing more. */
export function logSilently(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console
  console.info(`${what}:`, error instanceof Error ? error.message || error.name : error);
}
