import { Readable } from 'node:stream';
import {
  BULK_MAX_ROWS,
  BULK_MESSAGES,
  BULK_TYPED_BEYOND,
  BULK_VALUES,
  nounOf,
} from '@meridian/contract/bulk';
import type {
  BulkAction,
  BulkChange,
  BulkPreview,
  bulkPreview,
  bulkStart,
} from '@meridian/contract/bulk';
import type { BodyOf } from '@meridian/contract/endpoint';
import { textIsBounded } from '@meridian/contract/posts';
import type { PostFilter } from '@meridian/contract/posts';
import * as z from 'zod/mini';
import { record } from '../../audit/audit.store.ts';
import type { Author } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { isUuid } from '../../http/register.ts';
import { counted, required } from '../noun.ts';
import { ACTIONS } from '../nouns.ts';
import * as store from './bulk.store.ts';

const BATCH = 5_000;

export function createBulkService(db: Database) {
  async function find(id: string): Promise<BulkChange> {
    return required(isUuid(id) ? await store.findChange(db, id) : null, 'bulk_change_not_found');
  }

  return {
    async preview(by: Author, body: BodyOf<typeof bulkPreview>): Promise<BulkPreview> {
      const { action, value = null, selection } = body;
      requireFit(body);
      const chosen = ACTIONS[action];
      const { rows, refusal } = chosen;
      const id = uuidV7();
      const count = await db.transaction(async (tx) => {
        const members = await store.membersOf(tx, rows, selection);
        const total = await store.insertSet(tx, { id, action, value, selection }, by, members);
        if (total === null) throw invalidField('selection', BULK_MESSAGES.tooMany);
        return total;
      });
      const [states, examples] = await Promise.all([
        store.countStates(db, id, chosen),
        store.listExamples(db, id, rows),
      ]);
      const refused = states.map((row) => ({ reason: refusal(row.state, value), row }));
      const changed = refused.filter(({ reason }) => reason === null).map(({ row }) => row);
      return {
        token: id,
        count,
        examples,
        consequences: consequencesOf(action, value, changed),
        skipped: skippedOf(refused),
      };
    },

    async start(by: Author, body: BodyOf<typeof bulkStart>): Promise<BulkChange> {
      const { token, typedCount } = body;
      const stored = isUuid(token) ? await store.findStored(db, token, by) : null;
      const bound = required(stored, 'bulk_preview_expired');
      if (bound.state !== 'PREVIEWED') return find(token);
      if (bound.total === 0) throw invalidField('token', BULK_MESSAGES.nothing);
      if (bound.total > BULK_TYPED_BEYOND && typedCount !== bound.total) {
        throw invalidField('typedCount', BULK_MESSAGES.typeCount(bound.total));
      }
      const twin = await store.findRunningTwin(db, token);
      if (twin !== null) return find(twin);
      await requireSameSet(db, bound);
      try {
        await db.transaction((tx) => start(tx, bound, { ...by, batch: token }));
      } catch (error) {
        if (!isViolation(error, 'bulk_changes_one_deed')) throw error;
        return find((await store.findRunningTwin(db, token)) ?? token);
      }
      return find(token);
    },

    async stop(by: Author, id: string): Promise<BulkChange> {
      const before = await find(id);
      const isStopped = await db.transaction(async (tx) => {
        if (!(await store.setStopping(tx, id))) return false;
        const states = { before: { state: 'RUNNING' }, after: { state: 'STOPPING' } };
        await record(tx, { by, action: 'bulkStop', batch: id }, { id, ...states });
        return true;
      });
      if (!isStopped && before.state !== 'STOPPING') throw new AppError('bulk_change_ended');
      return find(id);
    },

    get: find,
    list: () => store.listChanges(db),

    async result(id: string): Promise<Readable> {
      await find(id);
      return Readable.from(resultLines(db, id), { objectMode: false });
    },
  };
}

const boundedText = z.custom<PostFilter>().check(textIsBounded);

/** No schema says that each action has its values, and each list its own filter. */
function requireFit({ action, value, selection }: BodyOf<typeof bulkPreview>): void {
  const values: readonly string[] = BULK_VALUES[action];
  const fits = value === undefined ? values.length === 0 : values.includes(value);
  if (!fits) throw invalidField('value', BULK_MESSAGES.wrongValue);
  if (selection.ids === undefined && !(nounOf(action) in selection)) {
    throw invalidField('selection', BULK_MESSAGES.wrongList);
  }
  const issue = boundedText.safeParse(selection.posts ?? {}).error?.issues[0];
  if (issue !== undefined) throw invalidField('selection.posts.text', issue.message);
}

async function start(tx: Db, bound: store.StoredChange, by: Author): Promise<void> {
  const { id, action, value, selection, total } = bound;
  // Another request with the same token started it a moment ago, and has done the rest.
  if (!(await store.setRunning(tx, id, by))) return;
  await store.startJob(tx, id);
  const after = { action, value, total, selection };
  await record(tx, { by, action: 'bulkStart' }, { id, before: null, after });
}

async function requireSameSet(db: Database, bound: store.StoredChange): Promise<void> {
  const members = await store.membersOf(db, ACTIONS[bound.action].rows, bound.selection);
  const { added, removed, count } = await store.compareSet(db, bound.id, members);
  if (added === 0 && removed === 0) return;
  const now =
    count > BULK_MAX_ROWS ? BULK_MESSAGES.tooMany : `${counted(count, 'matches', 'match')} now.`;
  throw new AppError('bulk_set_changed', {
    message: `The set has changed: ${counted(added, 'row', 'rows')} added, ${removed.toLocaleString('en-US')} removed. ${now}`,
  });
}

export function consequencesOf(
  action: BulkAction,
  value: string | null,
  changed: readonly store.StateCount[],
): string[] {
  const sum = (name: 'count' | 'weight') => changed.reduce((total, row) => total + row[name], 0);
  const count = sum('count');
  if (count === 0) return ['Nothing will change.'];
  const inState = (state: string) => changed.find((row) => row.state === state)?.count ?? 0;
  const affected = { value, count, weight: sum('weight'), in: inState };
  return ACTIONS[action].sentences(affected).filter((sentence) => sentence !== null);
}

function skippedOf(
  refused: readonly { reason: string | null; row: store.StateCount }[],
): BulkPreview['skipped'] {
  const counts = new Map<string, number>();
  for (const { reason, row } of refused) {
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + row.count);
  }
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

async function* resultLines(db: Database, id: string): AsyncGenerator<string> {
  // The mark tells spreadsheets that it is UTF-8.
  yield '\uFEFFid,result,message\r\n';
  for (let after = store.NIL; ;) {
    const rows = await store.listResults(db, id, after, BATCH);
    yield rows.map((row) => lineOf([row.id, row.result ?? 'open', row.message ?? ''])).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

/** The messages are our own sentences: none begins like a formula. */
function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}
