import { POST_STATUSES } from '@meridian/contract/posts';
import { USER_STATUSES } from '@meridian/contract/users';
import { createRandom } from '@meridian/demo/random';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ENGINES, setUpApp } from '../../test/app.ts';
import { setUpDatabase } from '../../test/cluster/test-database.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { runProgram } from '../../test/run-program.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { BATCH, applyDeltas, findDifferences, recount, startCounterTask } from './counters.ts';

const MANY = 10;
const HOUR = 3_600_000;

describe.each(ENGINES)('counters on %s', (engine) => {
  const api = setUpApp(engine);

  /** Counters that differ from the rows, before and after the deltas are applied. */
  async function wrongCounters(): Promise<unknown[]> {
    const before = await findDifferences(api.db, MANY);
    while ((await applyDeltas(api.db)) > 0);
    const left = await api.db.many(sql`select * from pending_counters`);
    return [...before, ...(await findDifferences(api.db, MANY)), ...left];
  }

  test('follow every kind of change, one row or many at once', async () => {
    const [ada, ben] = [await insertUser(api.db), await insertUser(api.db)];
    const ids: string[] = [];
    for (const status of POST_STATUSES) ids.push(await insertPost(api.db, ada, { status }));
    expect(await wrongCounters()).toEqual([]);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where status = 'PENDING'`);
    await api.db.execute(sql`update posts set content = 'another text'`);
    await api.db.execute(sql`update posts set scheduled_at = scheduled_at + interval '40 days'`);
    await api.db.execute(sql`update posts set user_id = ${ben} where id = ${ids[0]}`);
    await api.db.execute(sql`
      update posts set status = 'FAILED', user_id = case id when ${ids[1]} then ${ben} else user_id end,
        id = case id when ${ids[4]} then gen_random_uuid() else id end
      where status in ('PROCESSING', 'CANCELLED')`);
    await api.db.execute(
      sql`update users set status = 'BLOCKED', handle = 'new.test' where id = ${ben}`,
    );
    await api.db.execute(sql`delete from posts where id = ${ids[1]}`);
    expect(await wrongCounters()).toEqual([]);
    // Their posts go with them.
    await api.db.execute(sql`delete from users where id = ${ada}`);
    expect(await api.db.one(sql`select count(*) from posts`)).toEqual({ count: 1 });
    expect(await wrongCounters()).toEqual([]);
  });

  test('get one delta from a change of status, and none from other changes', async () => {
    const author = await insertUser(api.db);
    const id = await insertPost(api.db, author, { status: 'PENDING' });
    while ((await applyDeltas(api.db)) > 0);
    const deltas = () =>
      api.db.many(sql`select noun, old_status as was, new_status as became, n from counter_deltas`);
    await api.db.execute(sql`update posts set content = 'another text', updated_at = now()`);
    await api.db.execute(sql`update posts set scheduled_at = scheduled_at + interval '1 day'`);
    await api.db.execute(sql`update posts set status = status, user_id = user_id`);
    await api.db.execute(sql`update users set is_active = not is_active, status = status`);
    expect(await deltas()).toEqual([]);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${id}`);
    expect(await deltas()).toEqual([{ noun: 'posts', was: 'PENDING', became: 'CANCELLED', n: 1 }]);
    expect(await wrongCounters()).toEqual([]);
    expect(await deltas()).toEqual([]);
  });

  test('get one delta per author and status from a bulk load', async () => {
    const author = await insertUser(api.db);
    while ((await applyDeltas(api.db)) > 0);
    await api.db.execute(sql`
      insert into posts (id, user_id, content, scheduled_at)
      select gen_random_uuid(), ${author}, 'text', now() from generate_series(1, 500)`);
    expect(await api.db.many(sql`select n from counter_deltas`)).toEqual([{ n: 500 }]);
    await api.db.execute(sql`delete from posts where user_id = ${author}`);
    expect(await wrongCounters()).toEqual([]);
  });

  test('are undone with the transaction', async () => {
    const failing = api.db.transaction(async (tx) => {
      await insertUser(tx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await wrongCounters()).toEqual([]);
  });

  test('stay right while eight clients write and two apply deltas', async () => {
    const authors = await Promise.all(Array.from({ length: 6 }, () => insertUser(api.db)));
    const done = new AbortController();
    const clients = Array.from({ length: 8 }, (_, index) =>
      changeAtRandom(`client ${index}`, authors),
    );
    const adding = Array.from({ length: 2 }, async () => {
      while (!done.signal.aborted) await applyDeltas(api.db);
    });
    const reading = async () => {
      while (!done.signal.aborted) expect(await findDifferences(api.db, MANY)).toEqual([]);
    };
    const others = [...adding, reading()];
    await Promise.all(clients).finally(() => done.abort());
    await Promise.all(others);
    expect(await wrongCounters()).toEqual([]);
  });

  async function changeAtRandom(seed: string, authors: string[]): Promise<void> {
    const random = createRandom(seed);
    for (let step = 0; step < 60; step += 1) {
      const author = random.pick(authors);
      const at = new Date(
        Date.UTC(2026, 0, 1) + Math.floor(random.unit() * 5000) * HOUR,
      ).toISOString();
      const post = sql`(select id from posts order by md5(id::text || ${step + seed}) limit 1)`;
      await random.pick([
        () => insertPost(api.db, author, { scheduled_at: at, created_at: at }),
        () => insertPost(api.db, author, { scheduled_at: at }),
        () =>
          api.db.execute(sql`update posts set status = 'CANCELLED'
              where id = ${post} and status in ('PENDING', 'PROCESSING')`),
        () => api.db.execute(sql`delete from posts where id = ${post}`),
        () =>
          api.db.execute(
            sql`update users set status = ${random.pick(USER_STATUSES)} where id = ${author}`,
          ),
      ])();
    }
  }

  test('that are wrong are found and repaired', async () => {
    await insertPost(api.db, await insertUser(api.db));
    expect(await wrongCounters()).toEqual([]);
    await api.db.execute(sql`update status_counters set n = n + 5 where noun = 'posts'`);
    await api.db.execute(sql`delete from user_post_counters`);
    const found = await findDifferences(api.db, 1000);
    expect(new Set(found.map(({ what }) => what))).toEqual(
      new Set(['posts by status', 'posts of a user']),
    );
    await recount(api.db);
    expect(await wrongCounters()).toEqual([]);
  });
});

/** How often deltas are applied at the first interval and within the half second after it, finding so many. */
async function timesApplied(found: readonly number[]): Promise<number[]> {
  const left = [...found];
  const one = vi.fn<() => Promise<{ applied: number }>>(async () => ({
    applied: left.shift() ?? 0,
  }));
  // The task asks for nothing else.
  const db = { one } as Partial<Db> as Db;
  const task = startCounterTask(db, pino({ enabled: false }));
  await vi.advanceTimersByTimeAsync(1_000);
  const atOnce = one.mock.calls.length;
  await vi.advanceTimersByTimeAsync(500);
  await task.stop();
  return [atOnce, one.mock.calls.length];
}

describe('the task that applies deltas', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('while others keep changing posts, their deltas are applied once a second', async () => {
    expect(await timesApplied([50, 50, 50])).toEqual([1, 1]);
  });

  test('what one batch could not take is applied soon, after a pause', async () => {
    expect(await timesApplied([BATCH, BATCH, 20, 50])).toEqual([1, 3]);
  });
});

describe('npm run reconcile', () => {
  const PROGRAM = new URL('./reconcile-cli.ts', import.meta.url);

  const { database, db } = setUpDatabase('server');
  beforeAll(async () => {
    await insertPost(db, await insertUser(db));
    await applyDeltas(db);
  });

  const reconcile = (...args: string[]) =>
    runProgram(PROGRAM, args, { DATABASE_URL: database.connectionString });

  test('finds wrong counters, names them, and counts again with --repair', async () => {
    expect(await reconcile()).toEqual({
      code: 0,
      stdout: 'Every counter is right.\n',
      stderr: '',
    });
    await db.execute(sql`update user_post_counters set pending = 7`);
    const found = await reconcile();
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(
      /^posts of a user, PENDING, [0-9a-f-]{36}: 7 counted, 1 present\nCounters differ\. /u,
    );
    expect(await reconcile('--repair')).toMatchObject({ code: 0 });
    expect(await findDifferences(db, 1)).toEqual([]);
  });

  test('explains itself, and refuses what it does not know', async () => {
    expect(await reconcile('--help')).toMatchObject({ code: 0, stderr: '' });
    expect(await reconcile('--fix')).toMatchObject({ code: 2, stdout: '' });
  });
});
