/** Why the process cannot start, in one sentence for the operator. Never carries a secret. */
export class StartError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartError';
  }
}

// Other parts have errors of their own whose message is such a sentence.
const SENTENCES = new Set(['StartError', 'EmbeddedDatabaseError', 'ObjectStoreConfigError']);

export function isStartError(error: unknown): error is Error {
  return error instanceof Error && SENTENCES.has(error.name);
}

/** Of the database and of the file system. */
const NO_ROOM = new Set<unknown>(['53100', 'ENOSPC']);

/** One line for standard error; an unexpected error comes with its stack. */
export function sentenceOf(error: unknown): string {
  if (isStartError(error)) return error.message;
  if (error instanceof Error && 'code' in error && NO_ROOM.has(error.code)) {
    return `The disk is full (${error.message}); make room, then start Meridian again.`;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Meridian failed: ${detail}`;
}
