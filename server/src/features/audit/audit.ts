import { auditList, auditReverse, finalReason } from '@meridian/contract/audit';
import type { AuditEntry } from '@meridian/contract/audit';
import type { AnswerOf, QueryOf } from '@meridian/contract/endpoint';
import { REASON_MAX_LENGTH } from '@meridian/contract/requests';
import type { FastifyInstance } from 'fastify';
import { isDeepStrictEqual } from 'node:util';
import type { Author } from '../../audit/audit.store.ts';
import type { Database, Db } from '../../db/database.ts';
import { readPage } from '../../db/page.ts';
import type { Keyset, Page } from '../../db/page.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid, register } from '../../http/register.ts';
import { required } from '../noun.ts';
import type { Fields } from '../noun.ts';
import { nounOfEntry } from '../nouns.ts';

export function auditRoutes(
  app: FastifyInstance,
  { audit }: { audit: ReturnType<typeof createAuditService> },
): void {
  register(app, auditList, ({ query }) => audit.list(query));

  register(app, auditReverse, async ({ actor, params }) => {
    await audit.reverse(actor, params.id);
    return { success: true as const };
  });
}

export function createAuditService(db: Database) {
  return {
    async list(query: QueryOf<typeof auditList>): Promise<AnswerOf<typeof auditList>> {
      const { rows, cursors } = await listEntries(db, query);
      return { entries: rows.map(entryOf), cursors };
    },

    /** The change is made to the version that was compared, so nothing can come in between. */
    async reverse(by: Author, id: string): Promise<void> {
      const found = /^\d{1,18}$/.test(id) ? await findEntry(db, id) : null;
      const row = required(found, 'audit_entry_not_found');
      const { finalReason: final, supersededBy, before, after, entityId } = entryOf(row);
      const reversal = nounOfEntry(row.entity)?.reversal;
      if (final !== null || reversal === undefined || entityId === null || before === null) {
        throw new AppError('entry_final', final === null ? {} : { message: final });
      }
      if (supersededBy !== null) {
        throw new AppError('entry_superseded', {
          message: `Entry ${supersededBy} has changed the same fields since. Reverse that one first`,
        });
      }
      const stored = await reversal.read(db, entityId);
      const state: Fields = { ...stored };
      const isAsLeft = Object.entries(withoutVersion(after)).every(([field, value]) =>
        isDeepStrictEqual(state[field], value),
      );
      if (!isAsLeft) {
        throw new AppError('entry_superseded', {
          message:
            'A change of many rows or the service itself has changed this since, so it was not reversed',
        });
      }
      try {
        const current = { id: entityId, version: stored.version, state };
        const author = { ...by, reason: reasonOf(by, id) };
        await reversal.write(db, author, current, withoutVersion(before));
      } catch (error) {
        const isOvertaken = error instanceof AppError && error.status === 412;
        throw isOvertaken ? new AppError('entry_superseded', { cause: error }) : error;
      }
    },
  };
}

function entryOf(row: EntryRow): AuditEntry {
  return { ...row, finalReason: finalReason(row.action, row.after) };
}

function withoutVersion(fields: Fields | null): Fields {
  const { version: _, ...rest } = fields ?? {};
  return rest;
}

function reasonOf({ reason }: Author, id: string): string {
  const text = `Reverses entry ${id}`;
  if (reason === undefined || reason === null) return text;
  return Array.from(`${text}: ${reason}`).slice(0, REASON_MAX_LENGTH).join('');
}

type AuditFilter = Omit<QueryOf<typeof auditList>, 'limit' | 'offset' | 'cursor'>;
type EntryRow = Omit<AuditEntry, 'finalReason'>;

const ID = { column: sql`id`, type: 'number' } as const;
const LATEST: Keyset = { keys: [ID], order: 'desc' };
const LATEST_BY_TIME: Keyset = { keys: [{ column: sql`at`, type: 'time' }, ID], order: 'desc' };

/** Versions always differ, which says nothing about the other fields. */
const TOUCHED = sql`array(
  select field from jsonb_object_keys(coalesce(t.before, '{}') || coalesce(t.after, '{}')) as field
  where field <> 'version')`;

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

async function findEntry(db: Db, id: string): Promise<EntryRow | null> {
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

/** Each change is a lookup: joined, all rows that were ever changed would be read. */
function changesOf(rows: Sql): Sql {
  return sql`array(
    select c.id::text from bulk_changes c where c.started_at is not null and (
      select true from bulk_change_rows r
      where r.change_id = c.id and r.row_id = any(${rows}) and r.result = 'done' limit 1))`;
}
