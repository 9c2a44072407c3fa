import { createHash } from 'node:crypto';
import { AppError } from '../http/app-error.ts';

/** What makes a call the same as an earlier one: who makes which call, under which name of theirs. */
export type RequestKey = {
  readonly adminId: string;
  readonly call: string;
  readonly key: string;
  /** SHA-256 of what is asked for. */
  readonly bodyHash: Buffer;
};

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** The key of a request; null when it brings none. `body` is what validation made of it. */
export function requestKey(
  header: string | string[] | undefined,
  { adminId, call, body }: { adminId: string; call: string; body: unknown },
): RequestKey | null {
  if (header === undefined) return null;
  // A header sent twice arrives as one text with a blank in it.
  if (typeof header !== 'string' || !VISIBLE.test(header)) throw malformed();
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest();
  return { adminId, call, key: header, bodyHash };
}

function malformed(): AppError {
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
  return new AppError('invalid_input', { message });
}
