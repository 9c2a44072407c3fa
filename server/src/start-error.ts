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

/** PgBouncer's words for a connection that brings settings of its own. */
const REFUSED_SETTING = /^unsupported startup parameter\b/;

/** One line for standard error; an unexpected error comes with its stack. */
export function sentenceOf(error: unknown): string {
  if (isStartError(error)) return error.message;
  if (error instanceof Error && 'code' in error && NO_ROOM.has(error.code)) {
    return `The disk is full (${error.message}); make room, then start Meridian again.`;
  }
  if (error instanceof Error && REFUSED_SETTING.test(error.message)) {
    return `The connection pooler in front of the database refuses a connection with settings (${error.message}); let it ignore them, as docs/operations.md says under "Behind PgBouncer", or connect to the database itself.`;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Meridian failed: ${detail}`;
}
