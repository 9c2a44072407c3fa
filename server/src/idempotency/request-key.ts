import { createHash } from 'node:crypto';
import { uuidV7 } from '../db/uuid-v7.ts';
import { AppError } from '../http/app-error.ts';

/** Identifies retries of one request: the owner of the key, the call and the Idempotency-Key header. */
export type RequestKey = {
  /** An administrator, or a person who schedules. */
  readonly ownerId: string;
  readonly call: string;
  readonly key: string;
  /** SHA-256 of the validated body. */
  readonly bodyHash: Buffer;
};

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** Null when the request has no such header. */
export function requestKey(
  header: string | string[] | undefined,
  { ownerId, call, body }: { ownerId: string; call: string; body: unknown },
): RequestKey | null {
  if (header === undefined) return null;
  // A header sent twice arrives as one text with a blank in it.
  if (typeof header !== 'string' || !VISIBLE.test(header)) throw malformed();
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest();
  return { ownerId, call, key: header, bodyHash };
}

const LAST_MS = 2 ** 48 - 1;

/**
 * The id of what a request makes: the same when the request is repeated, also to a database that has lost the
 * first. So its time is one that the request names.
 */
export function idOf({ ownerId, call, key, bodyHash }: RequestKey, time: Date): string {
  const parts = JSON.stringify([ownerId, call, key, bodyHash.toString('hex')]);
  const at = Math.min(Math.max(0, time.getTime()), LAST_MS);
  return uuidV7(at, createHash('sha256').update(parts).digest());
}

function malformed(): AppError {
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
  return new AppError('invalid_input', { message });
}
