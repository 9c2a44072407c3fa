import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { RequestKey } from './request-key.ts';

export type StoredResponse = { bodyHash: Buffer; response: unknown };

const IS_VALID = sql`created_at > now() - interval '24 hours'`;

/** Locks the key until the transaction ends. False when another transaction holds it. */
export async function claimKey(tx: Db, key: RequestKey): Promise<boolean> {
  const { isFree } = await tx.one<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(${lockOf(key)}::bigint) as "isFree"`);
  return isFree;
}

/** Call it with the key claimed: the transaction before may just have committed. */
export async function findResponse(tx: Db, key: RequestKey): Promise<StoredResponse | null> {
  return tx.maybeOne<StoredResponse>(sql`
    select body_hash as "bodyHash", answer as response from idempotency_keys
    where admin_id = ${key.ownerId} and call = ${key.call} and key = ${key.key} and ${IS_VALID}`);
}

/** Replaces a response that has expired. */
export async function storeResponse(tx: Db, key: RequestKey, response: unknown): Promise<void> {
  await tx.execute(sql`
    insert into idempotency_keys (admin_id, call, key, body_hash, answer)
    values (${key.ownerId}, ${key.call}, ${key.key}, ${key.bodyHash}, ${sql.json(response)})
    on conflict (admin_id, call, key) do update
    set body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()`);
}

export async function deleteOldKeys(db: Db): Promise<void> {
  await db.execute(sql`delete from idempotency_keys where not (${IS_VALID})`);
}

/** A 64-bit number; a collision with another advisory lock is as unlikely as any. */
function lockOf({ ownerId, call, key }: RequestKey): string {
  const hash = createHash('sha256').update(`${ownerId} ${call} ${key}`).digest();
  return String(hash.readBigInt64BE());
}
