import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { entityOf } from './actions.ts';
import type { AuditAction } from './actions.ts';
import type { Author } from './author.ts';

/** Who does what. */
export type Deed = { by: Author; action: AuditAction };

/**
 * The insert that puts a change on record, to be part of the statement that makes it:
 *
 *     with changed as (update … returning …, was, … as became), noted as (${entryOf(deed)}) select …
 *
 * `changed` gives the `id` of what changed and the state that it had and has now, both as jsonb or
 * null; of these only what differs is written, and no entry when nothing does.
 *
 * One statement, or the last one of a transaction: from here to the commit the end of the chain is
 * locked, and whoever else changes anything waits.
 */
export function entryOf(deed: Deed): Sql {
  return sql`${insertOf(deed)} changed.id::text, difference.before, difference.after
    from changed, audit_difference(changed.was, changed.became) as difference`;
}

export type Recorded = { id: string; before: object | null; after: object | null };

/** The same for a change that took several statements. The last one of its transaction. */
export async function record(tx: Db, deed: Deed, { id, before, after }: Recorded): Promise<void> {
  await tx.execute(sql`
    with changed as (
      select ${id}::text as id, ${jsonOrNull(before)}::jsonb as was, ${jsonOrNull(after)}::jsonb as became)
    ${entryOf(deed)}`);
}

/** For what changes no field of anything: somebody signs in, or plans are published. */
export async function recordEvent(db: Db, deed: Deed, id: string | null): Promise<void> {
  await db.execute(sql`${insertOf(deed)} ${id}::text, null::jsonb, null::jsonb`);
}

function insertOf({ by, action }: Deed): Sql {
  return sql`
    insert into audit_log (actor_id, actor_name, action, entity, request_id, network,
                           entity_id, before, after)
    select ${by.adminId}::uuid, ${by.username}::text, ${action}::text, ${entityOf(action)}::text,
           ${by.requestId}::uuid, ${by.network}::text,`;
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : sql.json(value);
}
