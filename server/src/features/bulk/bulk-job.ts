import { setTimeout as delay } from 'node:timers/promises';
import { BULK_MESSAGES } from '@meridian/contract/bulk';
import { ERRORS } from '@meridian/contract/errors';
import { record } from '../../audit/audit.store.ts';
import type { Database, Db } from '../../db/database.ts';
import { isOutage, isServerError } from '../../db/errors.ts';
import { LARGEST_BATCH } from '../noun.ts';
import type { ManyTools } from '../noun.ts';
import { ACTIONS } from '../nouns.ts';
import * as store from './bulk.store.ts';
import type { RowResult, WorkingChange } from './bulk.store.ts';

const ROUND_PAUSE_MS = 200;

/** This is the least time between the starts of two batches: about 1,900 posts a second. */
const BATCH_EVERY_MS = 26;

/** Lists and engine get the rest of the interval, and never less than a third of the time. */
export function pauseAfter(batchMs: number): number {
  return Math.max(BATCH_EVERY_MS - batchMs, batchMs / 2);
}

type Progress = 'more' | 'busy' | 'ended';

export async function runBulkChange(
  db: Database,
  tools: ManyTools,
  { id }: { id: string },
  signal?: AbortSignal,
): Promise<void> {
  const name = await store.findAction(db, id);
  if (name === null) return;
  // A batch that the database refuses is halved, until the row at fault stands alone.
  let size = LARGEST_BATCH;
  for (;;) {
    if (signal?.aborted === true) return store.releaseJob(db, id);
    const startedAt = performance.now();
    let progress: Progress = 'more';
    try {
      const { batch, look } = ACTIONS[name];
      const most = Math.min(size, batch);
      const looked = look && (await lookAtNext(db, id, most, (row) => look(db, tools, row)));
      progress = await runBatch(db, id, most, looked);
      size = Math.min(LARGEST_BATCH, size * 2);
    } catch (error) {
      // A broken connection, a full disk or a held lock is no row's fault; the job is started again later.
      if (!isServerError(error) || (size === 1 && isOutage(error))) throw error;
      if (size === 1) await failNext(db, id);
      size = Math.ceil(size / 2);
    }
    if (progress === 'ended') return;
    await delay(progress === 'busy' ? ROUND_PAUSE_MS : pauseAfter(performance.now() - startedAt));
  }
}

type Looked = ReadonlyMap<string, string | null>;

async function lookAtNext(
  db: Database,
  id: string,
  most: number,
  look: (row: string) => Promise<string | null>,
): Promise<Looked> {
  const ids = await store.nextRows(db, id, most);
  return new Map(await Promise.all(ids.map(async (row) => [row, await look(row)] as const)));
}

function runBatch(
  db: Database,
  id: string,
  most: number,
  looked: Looked | undefined,
): Promise<Progress> {
  return db.transaction(async (tx) => {
    const change = await store.lockChange(tx, id);
    if (change === null || !['RUNNING', 'STOPPING'].includes(change.state)) return 'ended';
    if (change.state === 'STOPPING') return finish(tx, change, 'STOPPED');
    const ids = await store.nextRows(tx, id, looked?.size ?? most);
    // Another job may have passed some of those that were looked at.
    if (looked && !ids.every((row) => looked.has(row))) return 'busy';
    if (ids.length > 0) {
      const results = await changeRows(tx, change, ids, looked);
      await store.saveResults(tx, id, results, ids.at(-1) ?? null);
      return results.length === 0 ? 'busy' : 'more';
    }
    if (!(await store.hasOpenRows(tx, id))) return finish(tx, change, 'DONE');
    await store.beginRound(tx, id);
    return 'busy';
  });
}

/** A row that another transaction holds gets no result: its turn comes in the next round. */
async function changeRows(
  tx: Db,
  { action: name, value }: WorkingChange,
  ids: readonly string[],
  looked: Looked | undefined,
): Promise<RowResult[]> {
  const action = ACTIONS[name];
  const locked = await store.lockRows(tx, action, ids);
  const lockedIds = new Set(locked.map(({ id }) => id));
  const others = ids.filter((id) => !lockedIds.has(id));
  const busy = new Set(await store.listExisting(tx, action.rows, others));
  const results: RowResult[] = locked.map(({ id, state, was }) => {
    const message = action.refusal(state, value) ?? looked?.get(id) ?? null;
    return message === null
      ? { id, result: 'done', message, was }
      : { id, result: 'skipped', message, was: null };
  });
  const gone = others.filter((id) => !busy.has(id));
  const { message } = ERRORS[action.rows.notFound];
  results.push(...gone.map((id) => ({ id, result: 'skipped' as const, message, was: null })));
  const allowed = results.filter(({ result }) => result === 'done').map(({ id }) => id);
  if (allowed.length > 0) await tx.execute(action.change(allowed, value));
  return results;
}

async function failNext(db: Database, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const change = await store.lockChange(tx, id);
    if (change?.state !== 'RUNNING') return;
    const [row] = await store.nextRows(tx, id, 1);
    if (row === undefined) return;
    const { refused: message } = BULK_MESSAGES;
    await store.saveResults(tx, id, [{ id: row, result: 'failed', message, was: null }], row);
  });
}

async function finish(
  tx: Db,
  { id, by }: WorkingChange,
  state: 'STOPPED' | 'DONE',
): Promise<Progress> {
  const summary = await store.finishChange(tx, id, state);
  const audit = { by, action: 'bulkFinish', reason: null } as const;
  await record(tx, audit, { id, before: null, after: { state, ...summary } });
  return 'ended';
}
