/** Why the process cannot start, in one sentence for the operator. Never carries a secret. */
export class StartError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartError';
  }
}

// Other parts have errors of their own whose message is such a sentence.
const SENTENCES = new Set(['StartError', 'EmbeddedDatabaseError', 'ObjectStoreConfigError']);

/** One line for standard error; an error nobody foresaw comes with its stack. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `Meridian failed: ${String(error)}`;
  if (SENTENCES.has(error.name)) return error.message;
  return `Meridian failed: ${error.stack ?? error.message}`;
}
