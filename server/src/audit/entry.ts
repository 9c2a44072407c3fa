import { AUDIT_ACTIONS } from '@meridian/contract/audit-actions';
import type { AuditAction } from '@meridian/contract/audit-actions';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { Author } from './author.ts';

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
