import { CAUSES, HOLDS } from '@meridian/contract/causes';
import { deliveryGet, engineGet } from '@meridian/contract/engine';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import {
  insertAttempt,
  insertDelivery,
  insertHost,
  insertWorker,
  schedulePost,
} from '../../../test/engine-fixtures.ts';
import { plansOf, scannedBy } from '../../../test/explain.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readBacklog } from '../../metrics/metrics.ts';
import { countHeld, countNextHour, findDelivery, listAttempts, readWaiting } from './engine.ts';

const MINUTE = 60;

const inWords = (at: string | null | undefined) => `${at?.slice(0, 16).replace('T', ' ')} UTC`;

const report = (published: number, p50: number, p99: number) => ({
  lastMinute: { published, latenessMs: { p50, p99, max: p99 * 2 } },
});

describe.each(EITHER)('the engine on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let user: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    user = await insertUser(api.db);
  });
  beforeEach(async () => {
    for (const table of [sql`engine_workers`, sql`hosts`, sql`posts`]) {
      await api.db.execute(sql`delete from ${table}`);
    }
    await api.db.execute(sql`
      update service_settings set is_service_suspended = false where is_service_suspended`);
  });

  const get = async (of = api, session = token) =>
    (await of.call(engineGet, { token: session })).answer;

  test('that never ran has nothing to show', async () => {
    expect(await get()).toEqual({
      isSuspended: false,
      suspendedAt: null,
      suspension: null,
      isAlive: false,
      isExpected: true,
      lastSeenAt: null,
      network: null,
      lateLimitMinutes: 60,
      workers: [],
      lastMinute: { published: 0, lateness: null },
      waiting: { count: 0, oldestAt: null, tooLate: 0 },
      held: [],
      hosts: [],
      nextHour: [],
    });
  });

  test('is alive while a worker was seen within 15 seconds', async () => {
    const still = await startTestApp(engine, { isClockStopped: true });
    onTestFinished(() => still.close());
    const session = (await still.signIn()).token;
    await insertWorker(still.db, { id: 'gone', seenSeconds: -15 });
    expect(await get(still, session)).toMatchObject({ isAlive: false, network: null });
    await insertWorker(still.db, { id: 'here', seenSeconds: -14.9, isStopping: true });
    const { isAlive, network, workers } = await get(still, session);
    expect([isAlive, network]).toEqual([true, 'local']);
    expect(workers).toMatchObject([
      { id: 'here', isAlive: true, isStopping: true },
      { id: 'gone', isAlive: false, isStopping: false },
    ]);
  });

  test('does not publish while the clock of every worker is wrong, and says how far', async () => {
    await insertWorker(api.db, { id: 'a', lastMinute: { clockOffMs: -10_000 } });
    expect(await get()).toMatchObject({
      isAlive: false,
      isExpected: true,
      network: null,
      workers: [{ id: 'a', isAlive: true, clockOffMs: -10_000 }],
    });
    expect((await readBacklog(api.db)).workers).toBe(0);
    await insertWorker(api.db, { id: 'b' });
    const { isAlive, workers } = await get();
    expect([isAlive, workers[1]?.clockOffMs]).toEqual([true, null]);
    expect((await readBacklog(api.db)).workers).toBe(1);
  });

  test('adds up what living workers report', async () => {
    await insertWorker(api.db, { id: 'a', ...report(300, 4, 40), published: 9_000 });
    await insertWorker(api.db, { id: 'b', ...report(100, 8, 60), claimed: 12 });
    await insertWorker(api.db, { id: 'idle' });
    await insertWorker(api.db, { id: 'gone', seenSeconds: -60, ...report(500, 900, 900) });
    const { lastMinute, workers } = await get();
    expect(lastMinute).toEqual({ published: 400, lateness: { p50Ms: 5, p99Ms: 60, maxMs: 120 } });
    expect(workers.map(({ id, claimed, published }) => [id, claimed, published])).toEqual([
      ['a', 0, 9_000],
      ['b', 12, 0],
      ['idle', 0, 0],
      ['gone', 0, 0],
    ]);
    expect(workers[2]?.lastMinute).toEqual({ published: 0, lateness: null });
  });

  test('says since when the service is suspended, who waits and who is too late', async () => {
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    for (const minutes of [-180, -61, -59, -1, 1]) {
      await schedulePost(api.db, user, { inSeconds: minutes * MINUTE });
    }
    await schedulePost(api.db, user, { inSeconds: -90 * MINUTE, hold: 'user_off' });
    await schedulePost(api.db, user, { inSeconds: -90 * MINUTE, status: 'COMPLETED' });
    // Held at the next claim, so neither is marked as failed.
    const blocked = await insertUser(api.db, { status: 'BLOCKED' });
    const disconnected = await insertUser(api.db);
    await api.db.execute(sql`
      insert into accounts (user_id, host, state) values (${disconnected}, 'a.example', 'RECONNECT')`);
    for (const author of [blocked, disconnected]) {
      await schedulePost(api.db, author, { inSeconds: -90 * MINUTE });
    }
    const { isSuspended, suspendedAt, waiting } = await get();
    expect(isSuspended).toBe(true);
    expect(suspendedAt).toMatch(/^\d{4}-/);
    expect(waiting).toMatchObject({ count: 6, tooLate: 2 });
    const age = Date.now() - Date.parse(waiting.oldestAt ?? '');
    expect(Math.round(age / 60_000)).toBe(180);

    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
    expect(await get()).toMatchObject({ isSuspended: false, suspendedAt: null });
  });

  test('counts held posts by cause, also those that wait for a time', async () => {
    const inSeconds = 600;
    await schedulePost(api.db, user, { inSeconds, hold: 'user_off' });
    await schedulePost(api.db, user, { inSeconds, hold: 'user_off' });
    await schedulePost(api.db, user, { inSeconds, hold: 'of_tomorrow' });
    await schedulePost(api.db, user, { inSeconds });
    const id = await schedulePost(api.db, user, { inSeconds: -5 });
    await api.db.execute(sql`
      update posts set hold = 'host_down', claim_at = now() + interval '1 minute' where id = ${id}`);
    expect((await get()).held).toEqual([
      { hold: 'user_off', sentence: HOLDS.user_off, count: 2 },
      { hold: 'host_down', sentence: HOLDS.host_down, count: 1 },
      { hold: 'of_tomorrow', sentence: 'of_tomorrow', count: 1 },
    ]);
  });

  test('says since when a host is down, until when it limits, and no time that has passed', async () => {
    await insertHost(api.db, { host: 'a.example', state: 'DOWN', cause: 'host_down' });
    await insertHost(api.db, { host: 'b.example', state: 'LIMITED', cause: 'rate_limited_host' });
    await insertHost(api.db, { host: 'c.example', state: 'LIMITED', cause: 'rate_limited_host' });
    await api.db.execute(sql`update hosts set retry_at = now() where host = 'c.example'`);
    const { hosts } = await get();
    expect(hosts.map(({ cause }) => cause)).toEqual([
      `a.example responds with errors since ${inWords(hosts[0]?.since)}`,
      `b.example limits requests from our address until ${inWords(hosts[1]?.retryAt)}`,
      'c.example limits requests from our address',
    ]);
    expect(hosts[2]?.retryAt).toBeNull();
  });

  test('forgets the trouble of a host that no post has called for long', async () => {
    await insertHost(api.db, { host: 'a.example', state: 'DOWN', cause: 'host_down' });
    await insertHost(api.db, { host: 'b.example', state: 'DOWN', cause: 'host_down' });
    await insertHost(api.db, { host: 'c.example' });
    await api.db.execute(sql`
      update hosts set retry_at = now() - interval '16 minutes' where host = 'b.example'`);
    expect((await get()).hosts.map(({ host }) => host)).toEqual(['a.example', 'c.example']);
    expect(await readBacklog(api.db)).toMatchObject({ hostsDown: 1 });
  });

  test('lists hosts in trouble first, with the reason in words', async () => {
    await insertHost(api.db, { host: 'a.example' });
    await insertHost(api.db, { host: 'b.example', state: 'DOWN', cause: 'network_unreachable' });
    await insertHost(api.db, { host: 'c.example', state: 'SLOW', cause: 'of_tomorrow' });
    const { hosts } = await get();
    expect(hosts.map(({ host, state, cause }) => [host, state, cause])).toEqual([
      ['b.example', 'DOWN', 'Could not reach b.example'],
      ['c.example', 'SLOW', 'of_tomorrow'],
      ['a.example', 'OPEN', null],
    ]);
    expect(hosts.map(({ retryAt }) => retryAt === null)).toEqual([false, false, true]);
  });

  test('counts what is due in the next hour by minute', async () => {
    for (const seconds of [-10, 600, 600, 601, 1800, 3700]) {
      await schedulePost(api.db, user, { inSeconds: seconds });
    }
    const { nextHour } = await get();
    expect(nextHour.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    expect(nextHour.every(({ at }) => at.endsWith(':00.000Z'))).toBe(true);
    expect(nextHour.map(({ at }) => at)).toEqual(nextHour.map(({ at }) => at).toSorted());
  });

  test('takes no query', async () => {
    const answer = await api.call(engineGet, { token, query: { part: 'hosts' } });
    expect(refusal(answer)).toEqual(catalogued('invalid_input', 'Unknown field: part'));
  });
});

const DID = 'did:plc:author';
const PLANNED = '2026-03-01T09:00:00.000Z';
const at = (seconds: number) => new Date(Date.parse(PLANNED) + seconds * 1000).toISOString();

describe.each(EITHER)('the delivery of a post on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let userId: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    userId = await insertUser(api.db, { did: DID });
  });

  const get = async (id: string) =>
    (await api.call(deliveryGet, { token, params: { id } })).answer.delivery;
  const change = (id: string, set: ReturnType<typeof sql>) =>
    api.db.execute(sql`update posts set ${set} where id = ${id}`);

  test('that no worker has claimed is planned and nothing else', async () => {
    const id = await insertPost(api.db, userId, { scheduled_at: PLANNED });
    expect(await get(id)).toEqual({
      plannedAt: PLANNED,
      claimedAt: null,
      sentAt: null,
      confirmedAt: null,
      latenessMs: null,
      claims: 0,
      host: null,
      outcome: null,
      hold: null,
      cause: null,
      nextLookAt: PLANNED,
      attempts: [],
      records: [],
    });
  });

  test('that went out at once is confirmed by the post itself', async () => {
    const status = 'COMPLETED';
    const fields = { status, scheduled_at: PLANNED, executed_at: at(0.25) } as const;
    const id = await insertPost(api.db, userId, fields);
    await insertDelivery(
      api.db,
      { id, userId, did: DID },
      { claimedAt: at(-1), sentAt: at(0.012), rkeys: ['3ka', '3kb'] },
    );
    expect(await get(id)).toMatchObject({
      claimedAt: at(-1),
      sentAt: at(0.012),
      confirmedAt: at(0.25),
      latenessMs: 12,
      host: 'pds.example',
      outcome: 'published',
      nextLookAt: null,
      records: [
        { rkey: '3ka', cid: 'bafyrei-3ka', uri: `at://${DID}/app.bsky.feed.post/3ka` },
        { rkey: '3kb', cid: 'bafyrei-3kb', uri: `at://${DID}/app.bsky.feed.post/3kb` },
      ],
    });
  });

  test.each(['infinity', '-infinity'])('scheduled for %s has no lateness', async (scheduled_at) => {
    const fields = { status: 'COMPLETED', executed_at: at(1) } as const;
    const id = await insertPost(api.db, userId, fields);
    await change(id, sql`scheduled_at = ${scheduled_at}`);
    expect(await get(id)).toMatchObject({ confirmedAt: at(1), latenessMs: null });
  });

  test('lists attempts, the latest first, with the cause in words', async () => {
    const id = await insertPost(api.db, userId, { status: 'FAILED', scheduled_at: PLANNED });
    const journal = { claimedAt: at(0), sentAt: at(1), settledAt: at(600), outcome: 'unknown' };
    await insertDelivery(api.db, { id, userId, did: DID }, journal);
    const first = { attempt: 1, startedAt: at(1), endedAt: at(9), cause: 'host_slow' };
    await insertAttempt(api.db, id, first);
    const second = { attempt: 2, startedAt: at(11), endedAt: at(12), cause: 'of_tomorrow' };
    await insertAttempt(api.db, id, { ...second, status: 502, error: 'Bad Gateway' });
    await change(
      id,
      sql`attempt = 2, cause = 'unknown_outcome', error_msg = 'Sent, never confirmed'`,
    );
    const delivery = await get(id);
    expect(delivery).toMatchObject({
      claims: 2,
      outcome: 'unknown',
      confirmedAt: null,
      cause: {
        word: 'unknown_outcome',
        sentence: 'Sent, never confirmed',
        advice: CAUSES.unknown_outcome.advice,
      },
    });
    expect(delivery.attempts).toEqual([
      {
        number: 2,
        startedAt: at(11),
        endedAt: at(12),
        host: 'pds.example',
        status: 502,
        error: 'Bad Gateway',
        cause: { word: 'of_tomorrow', sentence: 'of_tomorrow', advice: null },
      },
      {
        number: 1,
        startedAt: at(1),
        endedAt: at(9),
        host: 'pds.example',
        status: null,
        error: null,
        cause: {
          word: 'host_slow',
          sentence: 'pds.example did not respond in time',
          advice: CAUSES.host_slow.advice,
        },
      },
    ]);
  });

  test('of a held post says why, and that no worker looks by itself', async () => {
    const id = await insertPost(api.db, userId);
    await change(id, sql`hold = 'quota', cause = 'quota', claim_at = 'infinity'`);
    expect(await get(id)).toMatchObject({
      hold: { word: 'quota', sentence: HOLDS.quota },
      cause: { word: 'quota', advice: CAUSES.quota.advice },
      nextLookAt: null,
    });
  });

  test.each([uuidV7(), 'not-an-id'])('is not known of %s', async (id) => {
    expect(refusal(await api.call(deliveryGet, { token, params: { id } }))).toEqual(
      catalogued('post_not_found', 'Post not found'),
    );
  });
});

const POSTS = 8_000;

describe.each(EITHER)('the state of the engine on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await insertManyPosts(api.db, [await insertUser(api.db)], POSTS);
    // As in a service of some age: few posts are still to be published.
    await api.db.execute(sql`
      update posts set status = 'COMPLETED' where status in ('PENDING', 'PROCESSING')
        and id not in (select id from posts where status = 'PENDING' order by id limit 600)`);
    await api.db.execute(sql`
      update posts set scheduled_at = now() + interval '1 minute' * (('x' || left(id::text, 2))::bit(8)::int - 40)
      where status = 'PENDING'`);
    await api.db.execute(sql`
      update posts set hold = 'user_off', claim_at = 'infinity' where id in (
        select id from posts where status = 'PENDING' order by id limit 200)`);
    await api.db.execute(sql`vacuum (analyze) posts, deliveries, delivery_attempts`);
  });

  const READS: [string, (db: Db) => Promise<unknown>][] = [
    ['waiting posts', (db) => readWaiting(db, { lateLimitMinutes: 60, needsAccount: false })],
    ['held posts', countHeld],
    ['the next hour', countNextHour],
    ['a delivery', (db) => findDelivery(db, uuidV7())],
    ['its attempts', (db) => listAttempts(db, uuidV7())],
  ];
  test.each(READS)('reads %s without reading the table of posts', async (_, ask) => {
    const plans = await plansOf(api.db, ask);
    expect(plans).toHaveLength(1);
    expect(scannedBy(plans)).not.toContain('posts');
  });
});
