import { propertyOf } from '@meridian/contract/untrusted';
import { errorCode } from '@meridian/embedded-postgres/folders';
import { isUnavailable } from './db/errors.ts';

/** The message is one sentence for the operator, without a secret. */
export class StartError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartError';
  }
}

const SENTENCES = new Set(['StartError', 'EmbeddedDatabaseError', 'ObjectStoreConfigError']);

export function isStartError(error: unknown): error is Error {
  return error instanceof Error && SENTENCES.has(error.name);
}

const NO_ROOM = new Set(['53100', 'ENOSPC']);

/** PgBouncer refuses the settings of DATABASE_URL in these words. */
const REFUSED_SETTING = /^unsupported startup parameter\b/;

export function sentenceOf(error: unknown): string {
  if (isStartError(error)) return error.message;
  if (error instanceof Error && NO_ROOM.has(errorCode(error) ?? '')) {
    return `The disk is full (${error.message}); make room, then start Meridian again.`;
  }
  if (error instanceof Error && REFUSED_SETTING.test(error.message)) {
    return `The connection pooler in front of the database refuses a connection with settings (${error.message}); take them out of DATABASE_URL, or connect to the database itself.`;
  }
  if (isUnavailable(error)) {
    return `The database does not respond any more (${reasonIn(error)}); start Meridian again when it does.`;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Meridian failed: ${detail}`;
}

function reasonIn(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  const code = propertyOf(cause, 'code');
  return typeof code === 'string' && /^E[A-Z]+$/.test(code)
    ? code
    : String(propertyOf(cause, 'message'));
}
