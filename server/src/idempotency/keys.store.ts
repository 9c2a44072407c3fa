import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { RequestKey } from './request-key.ts';

export type KeptAnswer = { bodyHash: Buffer; answer: unknown };

const IS_KEPT = sql`created_at > now() - interval '24 hours'`;

/** False when another transaction works under this key. Holds until this one ends. */
export async function claimKey(tx: Db, key: RequestKey): Promise<boolean> {
  const { isFree } = await tx.one<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(${lockOf(key)}::bigint) as "isFree"`);
  return isFree;
}

/** To be asked after the key is claimed: the one before may just have committed. */
export async function findAnswer(tx: Db, key: RequestKey): Promise<KeptAnswer | null> {
  return tx.maybeOne<KeptAnswer>(sql`
    select body_hash as "bodyHash", answer from idempotency_keys
    where admin_id = ${key.adminId} and call = ${key.call} and key = ${key.key} and ${IS_KEPT}`);
}

/** Takes the place of an answer that is too old to be given again. */
export async function keepAnswer(tx: Db, key: RequestKey, answer: unknown): Promise<void> {
  await tx.execute(sql`
    insert into idempotency_keys (admin_id, call, key, body_hash, answer)
    values (${key.adminId}, ${key.call}, ${key.key}, ${key.bodyHash}, ${sql.json(answer)})
    on conflict (admin_id, call, key) do update
    set body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()`);
}

export async function deleteOldKeys(db: Db): Promise<void> {
  await db.execute(sql`delete from idempotency_keys where not (${IS_KEPT})`);
}

/** A number of 64 bits; the few that name other locks are no more likely than any other. */
function lockOf({ adminId, call, key }: RequestKey): string {
  const hash = createHash('sha256').update(`${adminId} ${call} ${key}`).digest();
  return String(hash.readBigInt64BE());
}
