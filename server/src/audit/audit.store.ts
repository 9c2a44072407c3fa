import { AUDIT_ACTIONS } from '@meridian/contract/audit';
import type { AuditAction } from '@meridian/contract/audit';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

export type Author = {
  readonly adminId: string | null;
  readonly username: string;
  readonly requestId: string | null;
  readonly network: string | null;
  readonly reason?: string | null;
  readonly batch?: string | null;
};

export const HOST: Author = { adminId: null, username: 'host', requestId: null, network: null };

/** Reason and batch are the author's unless given. */
export type AuditContext = { by: Author; action: AuditAction } & Partial<
  Pick<Author, 'reason' | 'batch'>
>;

/**
 * `changed` has the `id` of the entity and its state before and after; an equal state makes no entry.
 * This is the only statement of its transaction or the last one: until the commit it locks the end of
 * the hash chain, and every other change waits.
 */
export function entryOf(audit: AuditContext): Sql {
  return sql`${insertOf(audit)} changed.id::text, difference.before, difference.after
    from changed, audit_difference(changed.was, changed.became) as difference`;
}

export type Recorded = { id: string; before: object | null; after: object | null };

/** This is the last statement of its transaction, because it locks the end of the hash chain. */
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
