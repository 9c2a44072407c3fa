import type { AuditEntry } from '@meridian/contract/audit';
import type { auditList } from '@meridian/contract/audit';
import type { QueryOf } from '@meridian/contract/endpoint';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isUuid } from '../../http/uuid.ts';
import type { Keyset } from '../../lists/keyset.ts';
import { readPage } from '../../lists/read-page.ts';
import type { Page } from '../../lists/read-page.ts';

export type AuditFilter = Omit<QueryOf<typeof auditList>, 'limit' | 'offset' | 'cursor'>;
export type EntryRow = Omit<AuditEntry, 'finalReason'>;

const ID = { column: sql`id`, type: 'number' } as const;
/** The indexes of the filters end with the id. */
const LATEST: Keyset = { keys: [ID], order: 'desc' };
/** The same order unless the clock was set back, but found by the time: a period may lie far back. */
const LATEST_BY_TIME: Keyset = { keys: [{ column: sql`at`, type: 'time' }, ID], order: 'desc' };

/** Every version of a plan differs in its number: it says nothing about the other fields. */
const TOUCHED = sql`array(
  select field from jsonb_object_keys(coalesce(t.before, '{}') || coalesce(t.after, '{}')) as field
  where field <> 'version')`;

/** The latest later entry about the same thing that changed one of the same fields. */
const NEWER = sql`
  left join lateral (
    select newer.id from audit_log as newer
    where newer.entity_id = t.entity_id and newer.entity = t.entity and newer.id > t.id
      and (newer.before ?| ${TOUCHED} or newer.after ?| ${TOUCHED})
    order by newer.id desc limit 1) as newer on t.before is not null or t.after is not null`;

const COLUMNS = sql`
  t.id::text, t.at, t.actor_name as actor, t.network, t.action, t.entity, t.entity_id as "entityId",
  t.before, t.after, t.request_id as "requestId", t.reason, t.batch,
  newer.id::text as "supersededBy"`;

/** Without a total: counting the log would take longer than reading a page of it. */
export async function listEntries(
  db: Db,
  { limit, offset, cursor, ...filter }: QueryOf<typeof auditList>,
): Promise<Omit<Page<EntryRow>, 'total'>> {
  const hasPeriod = filter.from !== undefined || filter.to !== undefined;
  const query = {
    keyset: hasPeriod ? LATEST_BY_TIME : LATEST,
    condition: conditionOf(filter),
    total: sql`0`,
    table: sql`audit_log`,
    columns: COLUMNS,
    joins: NEWER,
  };
  const { rows, cursors } = await readPage<EntryRow>(db, query, { limit, offset, cursor });
  return { rows, cursors };
}

export async function findEntry(db: Db, id: string): Promise<EntryRow | null> {
  return db.maybeOne<EntryRow>(sql`
    select ${COLUMNS} from audit_log as t ${NEWER} where t.id = ${id}::bigint`);
}

function conditionOf({ entityId, ...filter }: AuditFilter): Sql {
  const conditions = [
    filter.actor !== undefined && sql`actor_name = ${filter.actor}`,
    filter.action !== undefined && sql`action = ${filter.action}`,
    entityId !== undefined && isAbout(filter.entity, entityId),
    filter.entity !== undefined && entityId === undefined && sql`entity = ${filter.entity}`,
    filter.batch !== undefined &&
      (isUuid(filter.batch) ? sql`batch = ${filter.batch}` : sql`false`),
    filter.from !== undefined && sql`at >= ${filter.from}`,
    filter.to !== undefined && sql`at < ${filter.to}`,
  ].filter((condition) => condition !== false);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** With the changes of many rows that changed it; of a user, with those of its plan assignments. */
function isAbout(entity: AuditFilter['entity'], id: string): Sql {
  if (entity === undefined) return sql`entity_id = ${id}`;
  if (!isUuid(id)) return sql`(entity_id = ${id} and entity = ${entity})`;
  const isUser = entity === 'user';
  const rows = isUser
    ? sql`array(select ${id}::uuid union all select id from plan_assignments where user_id = ${id}::uuid)`
    : sql`array[${id}::uuid]`;
  return sql`(
    entity_id = any(${rows}::text[] || ${changesOf(rows)})
    and (entity = any(${isUser ? ['user', 'assignment'] : [entity]}) or action = 'bulkStart'))`;
}

/** A lookup for each change: joined, all rows that were ever changed would be read. */
function changesOf(rows: Sql): Sql {
  return sql`array(
    select c.id::text from bulk_changes c where c.started_at is not null and (
      select true from bulk_change_rows r
      where r.change_id = c.id and r.row_id = any(${rows}) and r.result = 'done' limit 1))`;
}
