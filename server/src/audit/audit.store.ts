import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ChainedEntry } from './chain.ts';

/** Less than every id. */
const BEFORE_ALL = '-9223372036854775808';

/** The entries after this id, or from the first, in order. */
export async function listEntries(
  db: Db,
  after: bigint | null,
  limit: number,
): Promise<ChainedEntry[]> {
  return db.many<ChainedEntry>(sql`
    select id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
           actor_id::text, actor_name, action, entity, entity_id, before::text, after::text,
           request_id::text, network, reason, batch::text,
           encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash
    from audit_log where audit_log.id > ${String(after ?? BEFORE_ALL)}::bigint order by audit_log.id
    limit ${sql.whole(limit)}`);
}

export async function readHead(db: Db): Promise<{ last_id: string; hash: string } | null> {
  return db.maybeOne<{ last_id: string; hash: string }>(sql`
    select last_id::text, encode(hash, 'hex') as hash from audit_head`);
}

export type TriggerRow = {
  table_name: string;
  name: string;
  function_name: string;
  /** As PostgreSQL writes it: A for always, O for all but replicating sessions, D for disabled. */
  mode: string;
  is_conditional: boolean;
};

/** The triggers of the log and of its head. */
export async function listTriggers(db: Db): Promise<TriggerRow[]> {
  return db.many<TriggerRow>(sql`
    select c.relname as table_name, t.tgname as name, p.proname as function_name,
           t.tgenabled as mode, t.tgqual is not null as is_conditional
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid in ('audit_log'::regclass, 'audit_head'::regclass) and not t.tgisinternal`);
}

export type TableOddity = {
  table_name: string;
  has_rules: boolean;
  has_row_security: boolean;
  has_relatives: boolean;
};

/** Features besides triggers that can make a statement miss rows. */
export async function listOddities(db: Db): Promise<TableOddity[]> {
  return db.many<TableOddity>(sql`
    select relname as table_name, relhasrules as has_rules, relrowsecurity as has_row_security,
           exists (select from pg_inherits where c.oid in (inhrelid, inhparent)) as has_relatives
    from pg_class c where oid in ('audit_log'::regclass, 'audit_head'::regclass)
    order by relname`);
}

export async function countAdmins(db: Db): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`select count(*) as n from admins`);
  return n;
}
