import type { BulkAction } from '@meridian/contract/bulk';
import type { Author } from '../../audit/author.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ManyAction, Rows } from '../noun.ts';

/** Before every id. */
export const NIL = '00000000-0000-0000-0000-000000000000';

export type WorkingChange = {
  id: string;
  action: BulkAction;
  value: string | null;
  state: string;
};

/** Null while another job works on it. Until the transaction ends no other job does. */
export async function lockChange(
  tx: Db,
  id: string,
): Promise<(WorkingChange & { by: Author }) | null> {
  const row = await tx.maybeOne<WorkingChange & Author>(sql`
    select id, action, value, state, admin_id as "adminId",
           made_by as username, request_id as "requestId", network, reason, id as batch
    from bulk_changes where id = ${id} for update skip locked`);
  if (row === null) return null;
  const { adminId, username, requestId, network, reason, batch, ...change } = row;
  const by = {
    adminId,
    username,
    requestId,
    network,
    reason: reason ?? null,
    batch: batch ?? null,
  };
  return { ...change, by };
}

export async function findAction(db: Db, id: string): Promise<BulkAction | null> {
  const change = await db.maybeOne<Pick<WorkingChange, 'action'>>(sql`
    select action from bulk_changes where id = ${id}`);
  return change?.action ?? null;
}

/** The next rows without a result after the last one that was passed. */
export async function nextRows(db: Db, id: string, limit: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select row_id as id from bulk_change_rows
    where change_id = ${id} and result is null
      and row_id > (select coalesce(passed_id, ${NIL}) from bulk_changes where id = ${id})
    order by row_id limit ${sql.whole(limit)}`);
  return rows.map(({ id }) => id);
}

export type LockedRow = { id: string; state: string; was: string };

/** Those of the rows that are there and that no other transaction holds, the engine's included. */
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

/** In the transaction that changes the rows: a result is there exactly when the change is. */
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
  // The range besides the join: before the table has statistics, all rows of the change would be joined.
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

/** Back to the first row: those that were locked by others are still without a result. */
export async function beginRound(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`update bulk_changes set beat_at = now(), passed_id = null where id = ${id}`);
}

export async function hasOpenRows(tx: Db, id: string): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    select exists (
      select from bulk_change_rows where change_id = ${id} and result is null) as found`);
  return found;
}

export type Summary = { done: number; failed: number; skipped: number; results_sha256: string };

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
