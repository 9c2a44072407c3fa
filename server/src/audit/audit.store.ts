import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ChainedEntry } from './chain.ts';

/** The entries after this one, in the order of the chain. */
export async function listEntries(db: Db, after: bigint, limit: number): Promise<ChainedEntry[]> {
  return db.many<ChainedEntry>(sql`
    select id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
           actor_id::text, actor_name, action, entity, entity_id, before::text, after::text,
           request_id::text, network,
           encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash
    from audit_log where audit_log.id > ${String(after)}::bigint order by audit_log.id
    limit ${sql.whole(limit)}`);
}

export async function readHead(db: Db): Promise<{ last_id: string; hash: string }> {
  return db.one<{ last_id: string; hash: string }>(sql`
    select last_id::text, encode(hash, 'hex') as hash from audit_head`);
}
