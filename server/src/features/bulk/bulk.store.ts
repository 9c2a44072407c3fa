import { BULK_EXAMPLES, BULK_MAX_ROWS } from '@meridian/contract/bulk';
import type { BulkAction, BulkChange, BulkPreview, BulkSelection } from '@meridian/contract/bulk';
import type { Author } from '../../audit/author.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isUuid } from '../../http/uuid.ts';
import type { ManyAction, Rows } from '../noun.ts';

const COLUMNS = sql`id, action, value, state, total, done, failed, skipped, reason,
  made_by as "madeBy", started_at as "startedAt", finished_at as "finishedAt"`;
const LATEST = 50;

/** What was previewed or started, as the server itself needs it. */
export type StoredChange = {
  id: string;
  action: BulkAction;
  value: string | null;
  selection: BulkSelection;
  /** PREVIEWED before it is started. */
  state: BulkChange['state'];
  total: number;
};

/** Selects the `id` of every row of the set as it is at this moment. */
export async function membersOf(db: Db, rows: Rows, selection: BulkSelection): Promise<Sql> {
  const { ids } = selection;
  if (ids === undefined) return rows.matching(db, selection);
  return sql`select id from ${rows.table} where id = any(${ids.filter(isUuid)}::uuid[])`;
}

/** Writes the set down. Null when too many rows match. */
export async function insertSet(
  tx: Db,
  change: Pick<StoredChange, 'id' | 'action' | 'value' | 'selection'>,
  by: Author,
  members: Sql,
): Promise<number | null> {
  const { id, action, value, selection } = change;
  await tx.execute(sql`
    insert into bulk_changes (id, action, value, selection, digest, total, admin_id, made_by)
    values (${id}, ${action}, ${value}, ${sql.json(selection)}, '', 0, ${by.adminId}, ${by.username})`);
  // Counted first: writing down too many takes longer than the operator is left to wait. In the order in
  // which the job takes them: the rows of a batch then share pages.
  const { total } = await tx.one<{ total: number }>(sql`
    with members as materialized (${members} limit ${sql.whole(BULK_MAX_ROWS + 1)}),
    counted as (select count(*) as total from members),
    written as (
      insert into bulk_change_rows (change_id, row_id)
      select ${id}::uuid, members.id from members, counted
      where total <= ${sql.whole(BULK_MAX_ROWS)} order by members.id)
    select total from counted`);
  if (total > BULK_MAX_ROWS) return null;
  await tx.execute(sql`
    update bulk_changes set total = ${total}, digest = (
      select sha256(coalesce(string_agg(uuid_send(row_id), '' order by row_id), ''))
      from bulk_change_rows where change_id = ${id})
    where id = ${id}`);
  return total;
}

/** How many rows of the set are in which state, and the sum of `weight` over them. */
export type StateCount = { state: string; count: number; weight: number };

export async function countStates(
  db: Db,
  id: string,
  { rows, state, weight = sql`0` }: Pick<ManyAction, 'rows' | 'state' | 'weight'>,
): Promise<StateCount[]> {
  return db.many<StateCount>(sql`
    select ${state} as state, count(*) as count, coalesce(sum(${weight}), 0)::bigint as weight
    from bulk_change_rows r join ${rows.table} t on t.id = r.row_id
    where r.change_id = ${id} group by 1 order by 1`);
}

export async function listExamples(
  db: Db,
  id: string,
  rows: Rows,
): Promise<BulkPreview['examples']> {
  return db.many(sql`
    select t.id, ${rows.example}, ${rows.state} as state
    from (select row_id from bulk_change_rows where change_id = ${id}
          order by row_id limit ${sql.whole(BULK_EXAMPLES)}) as r
    join ${rows.table} t on t.id = r.row_id ${rows.joins} order by t.id`);
}

export type Difference = { added: number; removed: number; count: number };

/** How the rows that match now differ from those that were written down. */
export async function compareSet(db: Db, id: string, members: Sql): Promise<Difference> {
  return db.one<Difference>(sql`
    with now_matching as materialized (${members} limit ${sql.whole(BULK_MAX_ROWS + 1)}),
    bound as materialized (select row_id from bulk_change_rows where change_id = ${id})
    select count(*) filter (where row_id is null) as added,
           count(*) filter (where id is null) as removed, count(id) as count
    from now_matching full join bound on row_id = id`);
}

/** A preview is its administrator's: another has not seen what it counts. */
export async function findStored(db: Db, id: string, by: Author): Promise<StoredChange | null> {
  return db.maybeOne<StoredChange>(sql`
    select id, action, value, selection, state, total from bulk_changes
    where id = ${id} and admin_id = ${by.adminId}`);
}

/** Another change of the same set that works at this moment. */
export async function findRunningTwin(db: Db, id: string): Promise<string | null> {
  const twin = await db.maybeOne<{ id: string }>(sql`
    select other.id from bulk_changes mine join bulk_changes other
      on other.action = mine.action and other.digest = mine.digest
      and coalesce(other.value, '') = coalesce(mine.value, '')
    where mine.id = ${id} and other.id <> mine.id and other.state in ('RUNNING', 'STOPPING')`);
  return twin?.id ?? null;
}

/** False when it was started before. A unique index refuses a twin of a running one. */
export async function setRunning(tx: Db, id: string, by: Author): Promise<boolean> {
  const started = await tx.execute(sql`
    update bulk_changes set state = 'RUNNING', admin_id = ${by.adminId}, made_by = ${by.username},
      request_id = ${by.requestId}, network = ${by.network}, reason = ${by.reason ?? null},
      beat_at = now(), started_at = now()
    where id = ${id} and state = 'PREVIEWED'`);
  return started > 0;
}

export async function setStopping(tx: Db, id: string): Promise<boolean> {
  const stopped = await tx.execute(sql`
    update bulk_changes set state = 'STOPPING' where id = ${id} and state = 'RUNNING'`);
  return stopped > 0;
}

export async function findChange(db: Db, id: string): Promise<BulkChange | null> {
  return db.maybeOne<BulkChange>(sql`
    select ${COLUMNS} from bulk_changes where id = ${id} and started_at is not null`);
}

export async function listChanges(db: Db): Promise<BulkChange[]> {
  return db.many<BulkChange>(sql`
    select ${COLUMNS} from bulk_changes where started_at is not null
    order by started_at desc, id limit ${sql.whole(LATEST)}`);
}

export type ResultRow = { id: string; result: string | null; message: string | null };

export async function listResults(
  db: Db,
  id: string,
  after: string,
  limit: number,
): Promise<ResultRow[]> {
  return db.many<ResultRow>(sql`
    select row_id as id, result, message from bulk_change_rows
    where change_id = ${id} and row_id > ${after}
    order by row_id limit ${sql.whole(limit)}`);
}
