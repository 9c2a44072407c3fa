import { handoverUpdate, overviewGet } from '@meridian/contract/overview';
import { postList } from '@meridian/contract/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { countingReads } from '../../../test/counting-reads.ts';
import { insertWorker, schedulePost } from '../../../test/engine-fixtures.ts';
import { grantPlan, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import type { Db } from '../../db/database.ts';
import { PLAN_BY_INDEX_LOCALLY, sql } from '../../db/sql.ts';
import { readBacklog } from '../../metrics/metrics.ts';
import { groupFailures } from '../failures/failures.ts';
import { listFilteredPosts } from '../posts/posts-filtered.store.ts';
import { findRetryFacts } from '../posts/retry.ts';
import { findScheduleFacts } from '../schedule-check/schedule-check.ts';
import { readWaiting } from '../suspension/suspension.ts';
import { keptBriefly, readDuePosts, readNow } from './overview.ts';

const DAY = 86_400;

describe.each(EITHER)('what needs attention now on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  let user: string;

  beforeAll(async () => {
    admin = await api.signIn();
    user = await insertUser(api.db);
  });

  const get = async () => (await api.call(overviewGet, { token: admin.token })).answer;
  const totalOf = async (query: Record<string, string>) =>
    (await api.call(postList, { token: admin.token, query })).answer.total;

  test('is nothing at first', async () => {
    expect(await get()).toMatchObject({
      overdue: { count: 0, oldestAt: null },
      stuck: { count: 0, oldestAt: null },
      held: [],
      failed: { byOwner: [{ count: 0 }, { count: 0 }, { count: 0 }] },
      engine: { isAlive: false, lastMinute: { lateness: null } },
      nextHour: { stepMinutes: 1, slots: [], countedTo: null },
      nextDay: { stepMinutes: 15, slots: [] },
      visit: null,
      handover: { text: '', author: null, version: 1 },
    });
  });

  test('every number equals its list', async () => {
    for (const inSeconds of [-600, -60]) await schedulePost(api.db, user, { inSeconds });
    const putOff = await schedulePost(api.db, user, { inSeconds: -900 });
    await api.db.execute(sql`
      update posts set claim_at = now() + interval '20 seconds' where id = ${putOff}`);
    const stuck = await schedulePost(api.db, user, { inSeconds: -900, status: 'PROCESSING' });
    const leased = await schedulePost(api.db, user, { inSeconds: -5, status: 'PROCESSING' });
    await api.db.execute(sql`
      update posts set claim_at = now() - interval '2 minutes' where id = ${stuck}`);
    await api.db.execute(sql`
      update posts set claim_at = now() + interval '10 minutes' where id = ${leased}`);
    for (const hold of ['user_off', 'user_off', 'quota']) {
      await schedulePost(api.db, user, { inSeconds: 30 * DAY, hold });
    }
    for (const inSeconds of [600, 600, 1_500, 5 * 3600, 23 * 3600, 2 * DAY]) {
      await schedulePost(api.db, user, { inSeconds });
    }
    await api.db.execute(sql`
      insert into posts (id, user_id, content, status, scheduled_at, cause, updated_at)
      select gen_random_uuid(), ${user}, 'Words', 'FAILED', now(), cause, now() - age
      from (values ('too_long', interval '1 hour'), ('host_down', '2 hours'), ('host_down', '3 hours'),
                   (null, '4 hours'), ('of_tomorrow', '5 hours'), ('internal', '25 hours')) as f (cause, age)`);
    const lastMinute = { published: 60, latenessMs: { p50: 4, p95: 20, p99: 38, max: 120 } };
    await insertWorker(api.db, { lastMinute });
    await insertWorker(api.db, {
      id: 'of an earlier version',
      lastMinute: { published: 60, latenessMs: { p50: 8, p99: 90, max: 99 } },
    });

    const now = await get();
    expect([now.overdue.count, await totalOf({ overdue: 'true' })]).toEqual([3, 3]);
    const backlog = await readBacklog(api.db);
    expect(backlog.due).toBe(3);
    expect(backlog.oldestDueSeconds).toBeGreaterThanOrEqual(900);
    expect([now.stuck.count, await totalOf({ stuck: 'true' })]).toEqual([1, 1]);
    expect(now.held.map(({ hold, count }) => [hold, count])).toEqual([
      ['user_off', 2],
      ['quota', 1],
    ]);
    expect(await totalOf({ hold: 'user_off' })).toBe(2);
    const { from, to, byOwner } = now.failed;
    expect(byOwner).toEqual([
      { owner: 'person', count: 1 },
      { owner: 'network', count: 2 },
      { owner: 'us', count: 2 },
    ]);
    for (const { owner, count } of byOwner) {
      expect(await totalOf({ owner, failedFrom: from, failedTo: to })).toBe(count);
    }
    expect(now.engine).toMatchObject({
      isAlive: true,
      lastMinute: { published: 120, lateness: { p50Ms: 6, p95Ms: 20, p99Ms: 90 } },
    });
    const sums = [now.nextHour, now.nextDay].map(({ slots }) =>
      slots.reduce((sum, { count }) => sum + count, 0),
    );
    expect(sums).toEqual([3, 5]);
    for (const { from: first, slots, stepMinutes } of [now.nextHour, now.nextDay]) {
      for (const { at, count } of slots) {
        const end = new Date(Date.parse(at) + stepMinutes * 60_000).toISOString();
        const start = at < first ? first : at;
        expect(await totalOf({ status: 'PENDING', from: start, to: end })).toBe(count);
      }
    }
  });

  test('a visit is about what happened since the one before', async () => {
    const seen = (minutes: number) =>
      api.db.execute(sql`
        update admin_visits set seen_at = now() - make_interval(mins => ${minutes})
        where admin_id = ${admin.adminId}`);
    const request = async () => {
      await api.db.execute(sql`
        update admin_sessions set last_seen_at = now() - interval '2 minutes'`);
      await api.call(postList, { token: admin.token });
    };
    await seen(29);
    await request();
    expect((await get()).visit).toBeNull();

    await seen(120);
    // The dashboard polls: that is no visit.
    expect((await get()).visit).toBeNull();
    await insertUser(api.db, { created_at: new Date().toISOString() });
    await grantPlan(api.db, user, {
      code: 'ABCD-EFGH-JKLM-NPQR',
      created_at: new Date().toISOString(),
    });
    await schedulePost(api.db, user, { inSeconds: -60, status: 'COMPLETED' });
    await schedulePost(api.db, user, { inSeconds: -2 * DAY, status: 'COMPLETED' });
    const other = await api.signIn('colleague');
    const body = { is_closed_beta: true };
    await api.call(settingsUpdate, { token: other.token, body });
    await request();
    const { visit } = await get();
    expect(visit).toMatchObject({
      people: 1,
      published: 1,
      failed: 1,
      redeemed: 1,
      settings: [{ by: 'colleague', changes: body }],
    });
    const { since = '', to = '' } = visit ?? {};
    expect(Math.round((Date.parse(to) - Date.parse(since)) / 60_000)).toBe(120);
    expect(await totalOf({ status: 'COMPLETED', from: since, to })).toBe(1);
    expect(await totalOf({ failedFrom: since, failedTo: to })).toBe(1);
  });

  test('the hand-over note is replaced by the next administrator who has read it', async () => {
    const save = (text: string, version: number) =>
      api.call(handoverUpdate, {
        token: admin.token,
        body: { text },
        headers: { 'if-match': `"v${version}"` },
      });
    const { handover } = (await save(' Watch pds.example ', 1)).answer;
    expect(handover).toMatchObject({
      text: 'Watch pds.example',
      author: admin.username,
      version: 2,
    });
    expect((await get()).handover).toEqual(handover);
    expect(refusal(await save('Mine', 1))).toEqual(catalogued('handover_changed_elsewhere'));
    expect(refusal(await save('x'.repeat(1_001), 2))).toEqual(
      catalogued('invalid_input', 'The note must be at most 1000 characters'),
    );
    expect((await save('', 2)).answer.handover.text).toBe('');
  });
});

function reader() {
  let nowMs = 0;
  let reads = 0;
  let end: (() => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  const get = keptBriefly(
    () => {
      reads += 1;
      const mine = reads;
      return new Promise<number>((resolve, reject) => {
        end = () => resolve(mine);
        fail = reject;
      });
    },
    (value) => value * 200,
    () => nowMs,
  );
  return {
    get,
    reads: () => reads,
    pass: (ms: number) => {
      nowMs += ms;
    },
    end: () => end?.(),
    fail: () => fail?.(new Error('No database')),
  };
}

test('what was read is kept as long as it says, from then on', async () => {
  const { get, pass, end, reads } = reader();
  const first = get();
  pass(10);
  end();
  expect(await first).toBe(1);
  pass(199);
  expect(await get()).toBe(1);
  pass(1);
  const second = get();
  end();
  expect(await second).toBe(2);
  expect(reads()).toBe(2);
});

test('callers at one time share one reading, however long it takes', async () => {
  const { get, pass, end, reads } = reader();
  const both = [get(), get()];
  pass(60_000);
  both.push(get());
  end();
  expect(await Promise.all(both)).toEqual([1, 1, 1]);
  expect(reads()).toBe(1);
});

test('a failed reading is told to those who wait, and made again for the next', async () => {
  const { get, fail, end, reads } = reader();
  const first = get();
  fail();
  await expect(first).rejects.toThrow('No database');
  const second = get();
  end();
  expect(await second).toBe(2);
  expect(reads()).toBe(2);
});

const POSTS = 8_000;
/** Of the failures in the period there are some 150; nothing may be read for each post. */
const READ_MAX = 1_500;
const PERIOD = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' };
/** Of the 13 days over which the posts are spread. */
const LAST_HOURS = { from: '2026-03-13T20:00:00.000Z', to: '2026-03-13T22:00:00.000Z' };

const SLOTS = { hour: { minutes: 1, count: 60 }, day: { minutes: 15, count: 96 } };

describe.each(EITHER)('the reads of the overview on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  let user: string;
  beforeAll(async () => {
    admin = await api.signIn();
    const others = await Promise.all(Array.from({ length: 40 }, () => insertUser(api.db)));
    user = others[0] ?? '';
    await insertManyPosts(api.db, others, POSTS);
    // As in a service of some age: most are published, few are pending, some were retried.
    await api.db.execute(sql`
      update posts set status = 'COMPLETED' where status in ('PENDING', 'PROCESSING')
        and id not in (select id from posts where status = 'PENDING' order by id limit 300)`);
    await api.db.execute(sql`
      update posts set cause = 'host_down', updated_at = scheduled_at where status = 'FAILED'`);
    await api.db.execute(sql`
      update posts set scheduled_at = now() + interval '1 minute' * (('x' || left(id::text, 2))::bit(8)::int - 40)
      where status = 'PENDING'`);
    await api.db.execute(sql`
      update posts set retry_of = gen_random_uuid() where id in (
        select id from posts where status = 'COMPLETED' order by id limit 500)`);
    await api.db.execute(sql`
      update posts set hold = 'user_off', claim_at = 'infinity' where id in (
        select id from posts where status = 'PENDING' order by id limit 100)`);
    await api.db.execute(sql`
      insert into admin_visits (admin_id, seen_at, since)
      select ${admin.adminId}, now(), scheduled_at from posts where status = 'COMPLETED'
      order by scheduled_at desc offset 100 limit 1
      on conflict (admin_id) do update set since = excluded.since`);
    await api.db.execute(sql`vacuum (analyze) posts`);
  });

  const READS: [string, (db: Db) => Promise<unknown>][] = [
    ['groups of failures', (db) => groupFailures(db, PERIOD, 24)],
    ['posts that wait for a resume', (db) => readWaiting(db, PERIOD.from, { needsAccount: true })],
    ['one failure', (db) => findRetryFacts(db, user)],
    ['all that needs attention now', (db) => readNow(db, admin.adminId)],
    ['posts that are due', (db) => readDuePosts(db, SLOTS)],
    ['a schedule check', (db) => findScheduleFacts(db, user)],
  ];
  test.each(READS)('%s are read by an index, not past all posts', async (_, ask) => {
    const found = await api.db.transaction(async (tx) => {
      await tx.execute(PLAN_BY_INDEX_LOCALLY);
      const { db, read } = countingReads(tx, 'posts');
      await ask(db);
      return read();
    });
    expect(found).toBeLessThan(READ_MAX);
  });

  test('a period of one status is read to its end, not to the last post of that status', async () => {
    const { count } = await api.db.one<{ count: number }>(sql`
      select count(*)::integer as count from posts where status = 'COMPLETED'`);
    expect(count).toBeGreaterThan(4_000);
    const pages = await api.db.transaction(async (tx) => {
      await tx.execute(PLAN_BY_INDEX_LOCALLY);
      const counting = countingReads(tx, 'posts');
      const db = { ...api.db, byIndex: counting.db };
      const filter = { status: 'COMPLETED', ...LAST_HOURS } as const;
      const request = { sort: 'scheduled_at', order: 'desc', limit: 1, offset: 0 } as const;
      await listFilteredPosts(db, filter, { ...request, status: 'COMPLETED' });
      return counting.pages();
    });
    expect(pages).toBeLessThan(40);
  });
});
