import { BULK_EXAMPLES, BULK_MAX_ROWS } from '@meridian/contract/bulk';
import type { BulkAction, BulkChange, BulkPreview, BulkSelection } from '@meridian/contract/bulk';
import type { Author } from '../../audit/audit.store.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isUuid } from '../../http/register.ts';
import type { ManyAction, Rows } from '../noun.ts';

const COLUMNS = sql`id, action, value, state, total, done, failed, skipped, reason,
  made_by as "madeBy", started_at as "startedAt", finished_at as "finishedAt"`;
const LATEST = 50;

export type StoredChange = {
  id: string;
  action: BulkAction;
  value: string | null;
  selection: BulkSelection;
  state: BulkChange['state'];
  total: number;
};

export async function membersOf(db: Db, rows: Rows, selection: BulkSelection): Promise<Sql> {
  const { ids } = selection;
  if (ids === undefined) return rows.matching(db, selection);
  return sql`select id from ${rows.table} where id = any(${ids.filter(isUuid)}::uuid[])`;
}

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
  // Counting comes first: writing down too many takes longer than the administrator is left to wait.
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

type Difference = { added: number; removed: number; count: number };

export async function compareSet(db: Db, id: string, members: Sql): Promise<Difference> {
  return db.one<Difference>(sql`
    with now_matching as materialized (${members} limit ${sql.whole(BULK_MAX_ROWS + 1)}),
    bound as materialized (select row_id from bulk_change_rows where change_id = ${id})
    select count(*) filter (where row_id is null) as added,
           count(*) filter (where id is null) as removed, count(id) as count
    from now_matching full join bound on row_id = id`);
}

/** Another administrator has not seen what the preview counts. */
export async function findStored(db: Db, id: string, by: Author): Promise<StoredChange | null> {
  return db.maybeOne<StoredChange>(sql`
    select id, action, value, selection, state, total from bulk_changes
    where id = ${id} and admin_id = ${by.adminId}`);
}

export async function findRunningTwin(db: Db, id: string): Promise<string | null> {
  const twin = await db.maybeOne<{ id: string }>(sql`
    select other.id from bulk_changes mine join bulk_changes other
      on other.action = mine.action and other.digest = mine.digest
      and coalesce(other.value, '') = coalesce(mine.value, '')
    where mine.id = ${id} and other.id <> mine.id and other.state in ('RUNNING', 'STOPPING')`);
  return twin?.id ?? null;
}

/** A unique index refuses a twin of a running change. */
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

type ResultRow = { id: string; result: string | null; message: string | null };

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

export const NIL = '00000000-0000-0000-0000-000000000000';

export type WorkingChange = Pick<StoredChange, 'id' | 'action' | 'value' | 'state'> & {
  by: Author;
};

/** Until the transaction ends no other job works on the change. */
export async function lockChange(tx: Db, id: string): Promise<WorkingChange | null> {
  const row = await tx.maybeOne<Omit<WorkingChange, 'id' | 'by'> & Author>(sql`
    select action, value, state, admin_id as "adminId",
           made_by as username, request_id as "requestId", network, reason, id as batch
    from bulk_changes where id = ${id} for update skip locked`);
  if (row === null) return null;
  const { action, value, state, ...by } = row;
  return { id, action, value, state, by };
}

export async function findAction(db: Db, id: string): Promise<BulkAction | null> {
  const change = await db.maybeOne<{ action: BulkAction }>(sql`
    select action from bulk_changes where id = ${id}`);
  return change?.action ?? null;
}

export async function nextRows(db: Db, id: string, limit: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select row_id as id from bulk_change_rows
    where change_id = ${id} and result is null
      and row_id > (select coalesce(passed_id, ${NIL}) from bulk_changes where id = ${id})
    order by row_id limit ${sql.whole(limit)}`);
  return rows.map(({ id }) => id);
}

type LockedRow = { id: string; state: string; was: string };

/** Rows that another transaction holds are left out, the engine's included. */
export async function lockRows(
  tx: Db,
  { rows, state, was }: Pick<ManyAction, 'rows' | 'state' | 'was'>,
  ids: readonly string[],
): Promise<LockedRow[]> {
  return tx.many<LockedRow>(sql`
    select t.id, ${state} as state, (${was})::text as was from ${rows.table} t
    where t.id = any(${ids}::uuid[]) order by t.id for update skip locked`);
}

export async function listExisting(
  tx: Db,
  { table }: Rows,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.many<{ id: string }>(sql`
    select t.id from ${table} t where t.id = any(${ids}::uuid[])`);
  return rows.map(({ id }) => id);
}

export type RowResult = {
  id: string;
  result: 'done' | 'skipped' | 'failed';
  message: string | null;
  was: string | null;
};

/** The transaction is the one that changes the rows, so a result is there exactly when the change is. */
export async function saveResults(
  tx: Db,
  id: string,
  results: readonly RowResult[],
  passedId: string | null,
): Promise<void> {
  const columns = {
    ids: results.map((row) => row.id),
    results: results.map(({ result }) => result),
    messages: results.map(({ message }) => message),
    states: results.map(({ was }) => was),
  };
  const count = (word: RowResult['result']) =>
    results.filter(({ result }) => result === word).length;
  const inOrder = columns.ids.toSorted();
  // Without the range, all rows of the change would be joined before the table has statistics.
  await tx.execute(sql`
    with saved as (
      update bulk_change_rows r set result = given.result, message = given.message, was = given.was::jsonb
      from unnest(${columns.ids}::uuid[], ${columns.results}::text[], ${columns.messages}::text[],
                  ${columns.states}::text[]) as given (id, result, message, was)
      where r.change_id = ${id} and r.row_id = given.id and r.result is null
        and r.row_id between ${inOrder[0] ?? NIL} and ${inOrder.at(-1) ?? NIL})
    update bulk_changes set beat_at = now(), passed_id = ${passedId},
      done = done + ${count('done')}, skipped = skipped + ${count('skipped')},
      failed = failed + ${count('failed')}
    where id = ${id}`);
}

export async function beginRound(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`update bulk_changes set beat_at = now(), passed_id = null where id = ${id}`);
}

export async function hasOpenRows(tx: Db, id: string): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    select exists (
      select from bulk_change_rows where change_id = ${id} and result is null) as found`);
  return found;
}

type Summary = { done: number; failed: number; skipped: number; results_sha256: string };

/** The digest binds the audit entry to the rows: each id with its result, in order. */
export async function finishChange(
  tx: Db,
  id: string,
  state: 'STOPPED' | 'DONE',
): Promise<Summary> {
  return tx.one<Summary>(sql`
    update bulk_changes set state = ${state}, finished_at = now(), beat_at = null where id = ${id}
    returning done, failed, skipped, (
      select encode(sha256(convert_to(coalesce(string_agg(
        row_id || ' ' || coalesce(result, 'open'), E'\n' order by row_id), ''), 'UTF8')), 'hex')
      from bulk_change_rows where change_id = ${id}) as results_sha256`);
}

export const BULK_TASK = 'bulk-change';

/** This is several times what a batch takes; two jobs of one change would only take turns. */
const STALLED = sql`interval '10 seconds'`;
const PREVIEW_LIFE = sql`interval '1 hour'`;

/** The queue keeps the lock of a killed worker for hours: `replace` queues another job beside it. */
const ADD_JOB = sql`graphile_worker.add_job(
  ${BULK_TASK}, json_build_object('id', id), job_key => ${BULK_TASK}::text || ':' || id,
  job_key_mode => 'replace')`;

export async function startJob(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`select ${ADD_JOB} from bulk_changes where id = ${id}`);
}

/** A kill, a stop, an error or a copy of the database may have ended the job. */
export async function reviveStalled(db: Db): Promise<number> {
  return db.execute(sql`
    with stalled as (
      update bulk_changes set beat_at = now()
      where state in ('RUNNING', 'STOPPING') and beat_at < now() - ${STALLED} returning id)
    select ${ADD_JOB} from stalled`);
}

export async function releaseJob(db: Db, id: string): Promise<void> {
  await db.execute(sql`update bulk_changes set beat_at = now() - 2 * ${STALLED} where id = ${id}`);
}

export async function deleteOldPreviews(db: Db): Promise<void> {
  await db.execute(sql`
    delete from bulk_changes where id = (
      select id from bulk_changes
      where state = 'PREVIEWED' and created_at < now() - ${PREVIEW_LIFE} order by created_at limit 1)`);
}
