import { createHash } from 'node:crypto';
import { uuidV7 } from '../db/columns.ts';
import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { AppError } from './errors.ts';

/** The response is stored in the transaction of the change, so a failure leaves the key unused. */
export async function once<T>(
  db: Database,
  key: RequestKey | null,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  if (key === null) return db.transaction(work);
  return db.transaction(async (tx) => {
    if (!(await claimKey(tx, key))) throw new AppError('request_in_progress');
    const stored = await findResponse(tx, key);
    if (stored === null) {
      const response = await work(tx);
      // This statement alone may follow an audit entry, because it needs the response.
      await storeResponse(tx, key, response);
      return response;
    }
    if (!stored.bodyHash.equals(key.bodyHash)) throw new AppError('key_used_otherwise');
    // The stored response is of the same call, hence of its type.
    return stored.response as T;
  });
}

export type RequestKey = {
  readonly ownerId: string;
  readonly call: string;
  readonly key: string;
  readonly bodyHash: Buffer;
};

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

export function requestKey(
  header: string | string[] | undefined,
  { ownerId, call, body }: { ownerId: string; call: string; body: unknown },
): RequestKey | null {
  if (header === undefined) return null;
  // A header sent twice arrives as one text with a blank in it.
  if (typeof header !== 'string' || !VISIBLE.test(header)) {
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
    throw new AppError('invalid_input', { message });
  }
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest();
  return { ownerId, call, key: header, bodyHash };
}

const LAST_MS = 2 ** 48 - 1;

/** The time of the id is one that the request names, so a repeat gets the same id even if the row is lost. */
export function idOf({ ownerId, call, key, bodyHash }: RequestKey, time: Date): string {
  const parts = JSON.stringify([ownerId, call, key, bodyHash.toString('hex')]);
  const at = Math.min(Math.max(0, time.getTime()), LAST_MS);
  return uuidV7(at, createHash('sha256').update(parts).digest());
}

type StoredResponse = { bodyHash: Buffer; response: unknown };

const IS_VALID = sql`created_at > now() - interval '24 hours'`;

async function claimKey(tx: Db, key: RequestKey): Promise<boolean> {
  const { isFree } = await tx.one<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(${lockOf(key)}::bigint) as "isFree"`);
  return isFree;
}

/** The key has to be claimed: the transaction before may just have committed. */
async function findResponse(tx: Db, key: RequestKey): Promise<StoredResponse | null> {
  return tx.maybeOne<StoredResponse>(sql`
    select body_hash as "bodyHash", answer as response from idempotency_keys
    where admin_id = ${key.ownerId} and call = ${key.call} and key = ${key.key} and ${IS_VALID}`);
}

async function storeResponse(tx: Db, key: RequestKey, response: unknown): Promise<void> {
  await tx.execute(sql`
    insert into idempotency_keys (admin_id, call, key, body_hash, answer)
    values (${key.ownerId}, ${key.call}, ${key.key}, ${key.bodyHash}, ${sql.json(response)})
    on conflict (admin_id, call, key) do update
    set body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()`);
}

export async function deleteOldKeys(db: Db): Promise<void> {
  await db.execute(sql`delete from idempotency_keys where not (${IS_VALID})`);
}

function lockOf({ ownerId, call, key }: RequestKey): string {
  const hash = createHash('sha256').update(`${ownerId} ${call} ${key}`).digest();
  return String(hash.readBigInt64BE());
}
