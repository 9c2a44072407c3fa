import { AUDIT_ACTIONS } from '@meridian/contract/audit';
import type { AuditAction } from '@meridian/contract/audit';
import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

/** Who does something, from where and why, as the audit log stores it. */
export type Author = {
  /** Null without a session. */
  readonly adminId: string | null;
  readonly username: string;
  readonly requestId: string | null;
  readonly network: string | null;
  /** As the administrator gave it, on one line. */
  readonly reason?: string | null;
  /** Groups the entries of one change of many things. */
  readonly batch?: string | null;
};

/** The operator of the machine: the server at its start, and the commands. */
export const HOST: Author = { adminId: null, username: 'host', requestId: null, network: null };

/** What an entry says of a change: who made it, which it was, and why; reason and batch are the author's unless given. */
export type AuditContext = { by: Author; action: AuditAction } & Partial<
  Pick<Author, 'reason' | 'batch'>
>;

/**
 * The insert that writes a change to the audit log, as a part of the statement that makes it:
 *
 *     with changed as (update … returning …, was, … as became), logged as (${entryOf(audit)}) select …
 *
 * `changed` returns the `id` of the entity and its state before and after, both as jsonb or null.
 * Only the difference is stored, and no entry without one.
 *
 * The only statement of its transaction or the last one: until the commit it locks the end of the
 * hash chain, and every other change waits.
 */
export function entryOf(audit: AuditContext): Sql {
  return sql`${insertOf(audit)} changed.id::text, difference.before, difference.after
    from changed, audit_difference(changed.was, changed.became) as difference`;
}

export type Recorded = { id: string; before: object | null; after: object | null };

/** The same for a change that took several statements. The last one of its transaction. */
export async function record(
  tx: Db,
  audit: AuditContext,
  { id, before, after }: Recorded,
): Promise<void> {
  await tx.execute(sql`
    with changed as (
      select ${id}::text as id, ${jsonOrNull(before)}::jsonb as was, ${jsonOrNull(after)}::jsonb as became)
    ${entryOf(audit)}`);
}

/** For events that change no field: a sign-in, or the publication of plans. */
export async function recordEvent(db: Db, audit: AuditContext, id: string | null): Promise<void> {
  await db.execute(sql`${insertOf(audit)} ${id}::text, null::jsonb, null::jsonb`);
}

function insertOf({ by, action, reason = by.reason, batch = by.batch }: AuditContext): Sql {
  return sql`
    insert into audit_log (actor_id, actor_name, action, entity, request_id, network, reason, batch,
                           entity_id, before, after)
    select ${by.adminId}::uuid, ${by.username}::text, ${action}::text, ${AUDIT_ACTIONS[action].entity}::text,
           ${by.requestId}::uuid, ${by.network}::text, ${reason ?? null}::text, ${batch ?? null}::uuid,`;
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : sql.json(value);
}

/** An entry as it is hashed: every field in the text form of the database. */
export type ChainedEntry = {
  id: string;
  at: string;
  actor_id: string | null;
  actor_name: string;
  action: string;
  entity: string;
  entity_id: string | null;
  before: string | null;
  after: string | null;
  request_id: string | null;
  network: string | null;
  reason: string | null;
  batch: string | null;
  previous_hash: string;
  hash: string;
};

/** The end of a chain, or of the part of it that was read. */
export type Link = { id: bigint; hash: string };

/** Precedes the first entry. */
export const START: Link = { id: 0n, hash: '00'.repeat(32) };

/** The flaws of an entry that should follow this link. */
export function flawsOf(entry: ChainedEntry, before: Link): string[] {
  const id = BigInt(entry.id);
  // Ids start at 1, and entries are read in order.
  if (id <= before.id) return [`Entry ${id} does not belong to the chain`];
  const flaws = [];
  // A gap is one flaw, not two.
  if (id > before.id + 1n) flaws.push(missing(before.id + 1n, id - 1n));
  else if (entry.previous_hash !== before.hash) {
    flaws.push(`Entry ${id} does not follow the one before`);
  }
  if (entry.hash !== hashOf(entry)) flaws.push(`Entry ${id} is not as it was written`);
  return flaws;
}

export function missing(first: bigint, last: bigint): string {
  return first === last ? `Entry ${first} is missing` : `Entries ${first} to ${last} are missing`;
}

/** Computed independently of the trigger that wrote the entry. */
function hashOf(entry: ChainedEntry): string {
  const fields = [
    entry.id,
    entry.at,
    entry.actor_id,
    entry.actor_name,
    entry.action,
    entry.entity,
    entry.entity_id,
    entry.before,
    entry.after,
    entry.request_id,
    entry.network,
    // Left out when both are null: entries from before these columns are hashed the same way.
    ...(entry.reason === null && entry.batch === null ? [] : [entry.reason, entry.batch]),
  ];
  return createHash('sha256')
    .update(Buffer.from(entry.previous_hash, 'hex'))
    .update(fields.map((field) => field ?? '').join('\n'))
    .digest('hex');
}

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
