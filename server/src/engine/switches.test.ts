import { createRandom } from '@meridian/demo/random';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { percentile } from '../../../hard/load/load.ts';
import { setUpApp } from '../../test/app.ts';
import { judge, note } from '../../test/figures.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';
import { createLog } from '../log.ts';
import { createLocalNetwork } from '../network/local/local-network.ts';
import type { LocalHost } from '../network/testing/local-host.ts';
import { claimPosts } from './claim.ts';
import type { ClaimedPost } from './claim.ts';
import { createDelivery } from './deliver.ts';
import type { DeliveryOptions } from './deliver.ts';
import { createClock } from './heartbeat.ts';
import { createHosts } from './hosts.ts';
import { prepare } from './prepare.ts';
import { createPostsInHand, openSwitches } from './switches.ts';
import type { Switches } from './switches.ts';
import { postOf } from './testing/preparing.ts';
import { OPTIONS, given, httpNetwork, openStage } from './testing/stage.ts';
import type { Stage, StagedUser } from './testing/stage.ts';
import { AT, SWITCHES, addTrials, endsOf, lagsOf, switchOff } from './testing/switch-trials.ts';
import type { Switched } from './testing/switch-trials.ts';

describe('the switches', () => {
  let stage: Stage;
  let switches: Switches;
  let user: StagedUser;
  let notified = 0;
  const suspensions: number[] = [];
  beforeAll(async () => {
    stage = await openStage('server');
    switches = await openSwitches({
      db: stage.db,
      connection: { connectionString: stage.connectionString },
      log: createLog('silent'),
      onWake: () => (notified += 1),
      onSuspended: ({ ms }) => suspensions.push(ms),
    });
    stage.closeAtEnd(() => switches.close());
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    user = await stage.addUser(null);
    notified = 0;
  });

  const claim = async () => {
    const claimedAt = performance.now();
    const { posts } = await claimPosts(stage.db, { ...OPTIONS, defaultHost: 'local' });
    const [post] = posts;
    if (post === undefined) throw new Error('Nothing was claimed');
    return { post, claimedAt };
  };

  test.each([
    ['is cancelled', sql`update posts set status = 'CANCELLED' where user_id =`, 'taken_back'],
    ['is deleted', sql`delete from posts where user_id =`, 'taken_back'],
    ['has its user blocked', sql`update users set status = 'BLOCKED' where id =`, 'user_off'],
  ])('stops a post that %s after its claim, before it is held', async (_, off, reason) => {
    await stage.addPost(user, 0);
    const { post, claimedAt } = await claim();
    await stage.db.execute(sql`${off} ${user.id}`);
    await expect.poll(() => notified).toBe(1);
    switches.hold(post, claimedAt);
    expect(switches.stopReason(post)).toBe(reason);
  });

  test('lets a post go that was claimed after the switch', async () => {
    for (const status of ['BLOCKED', 'ACTIVE']) {
      await stage.db.execute(sql`update users set status = ${status} where id = ${user.id}`);
    }
    await expect.poll(() => notified).toBe(2);
    await stage.addPost(user, 0);
    const { post, claimedAt } = await claim();
    switches.hold(post, claimedAt);
    expect(switches.stopReason(post)).toBeNull();
  });

  test('stops an attempt that is over, and not the next one of the same post', async () => {
    const id = await stage.addPost(user, 0);
    const first = await claim();
    switches.hold(first.post, first.claimedAt);
    await stage.db.execute(sql`update posts set claim_at = now() where id = ${id}`);
    const second = await claim();
    expect(second.post).toMatchObject({ id, attempt: 2 });
    await switches.poll();
    expect(switches.stopReason(first.post)).toBe('taken_back');
    switches.hold(second.post, second.claimedAt);
    expect(switches.stopReason(second.post)).toBeNull();
    expect(switches.stopReason(first.post)).toBe('taken_back');
    switches.letGo(first.post);
    expect(switches.stopReason(second.post)).toBeNull();
  });

  test('stops an attempt that outlives the next one', async () => {
    const id = await stage.addPost(user, 0);
    const first = await claim();
    switches.hold(first.post, first.claimedAt);
    await stage.db.execute(sql`update posts set claim_at = now() where id = ${id}`);
    const second = await claim();
    switches.hold(second.post, second.claimedAt);
    await stage.db.execute(sql`update posts set status = 'CANCELLED' where id = ${id}`);
    await expect.poll(() => switches.stopReason(second.post)).toBe('taken_back');
    switches.letGo(second.post);
    expect(switches.stopReason(first.post)).toBe('taken_back');
  });

  test('learns of a suspension and of its end, however close they follow each other', async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const isSuspended of [true, false]) {
        await stage.db.execute(
          sql`update service_settings set is_service_suspended = ${isSuspended}`,
        );
      }
    }
    await expect.poll(() => notified).toBe(20);
    expect(switches.isSuspended()).toBe(false);
  });

  test('tells how long ago a suspension was when it learned of it, once', async () => {
    suspensions.length = 0;
    await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
    await expect.poll(() => suspensions.length).toBe(1);
    await switches.poll();
    expect(suspensions).toEqual([expect.closeTo(0, -4)]);
    await stage.db.execute(sql`update service_settings set is_service_suspended = false`);
    await expect.poll(() => switches.isSuspended()).toBe(false);
  });
});

/** Work that ends when the test says so, and whatever was told to the engine. */
function setUp(most = 10) {
  const seen = { now: 0, rooms: 0, ended: 0, logged: [] as string[] };
  const inHand = createPostsInHand({
    switches: {
      hold: () => {},
      letGo: () => {
        seen.ended += 1;
      },
    },
    now: () => seen.now,
    log: createLog('info', { write: (line) => seen.logged.push(line) }),
    most,
    onRoom: () => {
      seen.rooms += 1;
    },
  });
  function take(post: ClaimedPost, { isByHand = false, claimedAt = seen.now } = {}) {
    const { promise: work, resolve: end, reject: breakOff } = Promise.withResolvers<void>();
    inHand.take(post, { claimedAt, isByHand, work: () => work });
    return { end, breakOff };
  }
  return { seen, inHand, take };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => postOf({ id: `post ${index}` }));

test('there is room again once half of a full hand is settled', async () => {
  const { seen, inHand, take } = setUp(4);
  const taken = numbered(4).map((post) => take(post));
  expect(inHand.isFull()).toBe(true);
  taken.slice(0, 3).forEach(({ end }) => end());
  await expect.poll(() => seen.rooms).toBe(1);
  expect(inHand.isFull()).toBe(false);
  taken[3]?.end();
  await inHand.settled();
  expect(inHand.isEmpty()).toBe(true);
  expect(seen.rooms).toBe(1);
});

test('leases are renewed when half of them is over', async () => {
  const { seen, inHand, take } = setUp();
  const [old, young] = numbered(2) as [ClaimedPost, ClaimedPost];
  const renewed: string[][] = [];
  const renew = () =>
    inHand.renew(10, async (posts) => {
      renewed.push(posts.map(({ id }) => id));
    });
  take(old);
  seen.now = 4;
  take(young);
  seen.now = 6;
  await renew();
  await renew();
  seen.now = 10;
  await renew();
  expect(renewed).toEqual([[old.id], [young.id]]);
});

test('a lease counts from before the statement that gave it, however long that took', async () => {
  const { seen, inHand, take } = setUp();
  let renewals = 0;
  const renew = () =>
    inHand.renew(10, async () => {
      renewals += 1;
      seen.now += 6;
    });
  seen.now = 6;
  take(postOf({}), { claimedAt: 0 });
  await renew();
  await renew();
  expect(renewals).toBe(2);
});

test('a post that was claimed once more stays in hand when its first delivery ends', async () => {
  const { seen, inHand, take } = setUp();
  const first = take(postOf({ attempt: 1 }));
  const again = postOf({ attempt: 2 });
  const second = take(again, { isByHand: true });
  first.end();
  await expect.poll(() => seen.ended).toBe(1);
  expect(inHand.isByHand(again)).toBe(true);
  second.end();
  await inHand.settled();
  expect(inHand.isEmpty()).toBe(true);
});

test('a delivery that breaks off is logged with its post', async () => {
  const { seen, inHand, take } = setUp();
  const post = postOf({});
  take(post).breakOff(new Error('The database is gone'));
  await inHand.settled();
  expect(seen.logged.join('')).toContain('A delivery broke off');
  expect(seen.logged.join('')).toContain(post.id);
});

const limitsOf = () => ({ concurrency: 1, perSecond: () => Infinity });

describe('switches pause', () => {
  const PAUSE_MS = 60_000;

  const api = setUpApp('embedded');

  async function claimOne(fields: Parameters<typeof insertPost>[2] = {}) {
    const user = await insertUser(api.db);
    const scheduled_at = new Date().toISOString();
    await insertPost(api.db, user, { status: 'PENDING', scheduled_at, ...fields });
    const options = { ...api.context.config.engine, lookaheadMs: 1_000, defaultHost: 'local' };
    const [post] = (await claimPosts(api.db, options)).posts;
    if (post === undefined) throw new Error('Nothing was claimed');
    return post;
  }

  /** Without notifications, as in a process that was paused and has not read them yet. */
  const deafSwitches = () =>
    openSwitches({
      db: api.db,
      connection: { ...api.context.connection, database: 'absent' },
      log: api.context.log,
      onWake: () => {},
      onSuspended: () => {},
    });

  test('a worker that was paused reads the switches again before it sends', async () => {
    const { db, context } = api;
    const switches = await deafSwitches();
    const post = await claimOne();
    switches.hold(post, performance.now());
    expect(switches.stopReason(post)).toBeNull();
    await db.execute(sql`update posts set status = 'CANCELLED' where id = ${post.id}`);
    const settleUnpublished = vi.fn<DeliveryOptions['settleUnpublished']>(async () => {});
    const network = createLocalNetwork(db);
    const putRecord = vi.spyOn(network, 'putRecord');
    const clock = createClock(context.log);
    const options = context.config.engine;
    const deliver = createDelivery({
      network,
      prepare: (prepared, now) =>
        prepare(prepared, { network, objects: context.objects, account: prepared, now }),
      clock,
      hosts: createHosts({ concurrency: 1, now: clock.now, limitsOf }),
      switches,
      options,
      workerId: 'test',
      log: context.log,
      stopping: new AbortController().signal,
      journal: async ({ writes }) => ({
        postId: post.id,
        writes,
        journalledAt: clock.now(),
        firstSentAt: clock.now(),
        maybeSent: false,
        failures: 0,
        faults: 0,
      }),
      countFaults: async () => 0,
      settlePublished: async () => {},
      settleUnpublished,
      disconnect: async () => {},
      onPublished: () => {},
      random: Math.random,
    });
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + PAUSE_MS);
    await deliver(post, null);
    expect(putRecord).not.toHaveBeenCalled();
    expect(settleUnpublished).toHaveBeenCalledWith(expect.objectContaining({ status: 'PENDING' }));
    expect(switches.stopReason(post)).toBe('taken_back');
    vi.restoreAllMocks();
    await switches.close();
  });

  test('times beyond those of a Date do not look like a change of the schedule', async () => {
    const switches = await deafSwitches();
    const user = await insertUser(api.db);
    for (const time of ['infinity', '-infinity', '294276-01-01', '12026-01-01', '4000-01-01 BC']) {
      const id = await insertPost(api.db, user, { status: 'CANCELLED' });
      await api.db.execute(sql`
      update posts set scheduled_at = ${time}::timestamptz, status = 'PROCESSING' where id = ${id}`);
    }
    const options = { ...api.context.config.engine, lookaheadMs: 1_000, defaultHost: 'local' };
    const { posts } = await claimPosts(api.db, options);
    expect(posts).toHaveLength(5);
    for (const post of posts) switches.hold(post, performance.now());
    await switches.poll();
    expect(posts.map((post) => switches.stopReason(post))).toEqual(posts.map(() => null));
    await switches.close();
  });
});

/** The long run has more of them, and another seed. */
const OFFSETS = Number(process.env['SWITCH_OFFSETS'] ?? 20);
const SEED = process.env['SWITCH_SEED'] ?? '20261116';
/** Of a switch, around the moment at which a post is due. */
const OFFSET_MS = { from: -600, to: 100 };
const MARK_MS = { worst: 1_000, p99: 150 };
/** Longer than posts are claimed ahead. */
const PACE = { leadMs: 2_000, everyMs: 15 };
const PER_SUSPENSION = 10;

/** In milliseconds after the commit. */
type Lags = { sent: number[]; arrived: number[] };

describe(`switches, ${OFFSETS} offsets each, seed ${SEED}`, () => {
  const random = createRandom(SEED);
  const offset = () => random.between(OFFSET_MS.from, OFFSET_MS.to);
  let stage: Stage;
  let host: LocalHost;
  beforeAll(async () => {
    stage = await openStage('server');
    host = await stage.startHost();
    await stage.startEngine(httpNetwork([host]));
    // What is loaded with the first call is loaded.
    await stage.addPost(await stage.addUser(host.url), 0);
    await stage.untilOpen(0);
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    await stage.db.execute(sql`delete from posts`);
  });

  const arrivals = () => new Map(host.report().arrivals.map(({ text, at }) => [text, at]));
  const postsById = async () =>
    new Map((await stage.readPosts()).map((post) => [post.id, post] as const));

  /** Each with a session: how fast the host opens one says nothing about switches. */
  const addUsers = (count: number): Promise<StagedUser[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const user = await stage.addUser(host.url);
        await host.authorize(user);
        return user;
      }),
    );

  /** The posts of users who are off: held unless they went out. Once nothing else is under way. */
  async function checkHeld(switched: readonly Switched[]): Promise<Lags> {
    await stage.untilOpen(0);
    const seen = arrivals();
    const posts = await postsById();
    const ofUsers = switched.filter(({ kind }) => SWITCHES[kind]?.hold !== undefined);
    const actual = ofUsers.map(({ kind, post }) => {
      const { status, hold } = given(posts.get(post));
      return { kind, status, hold, isSentAsPending: status === 'PENDING' && seen.has(post) };
    });
    // A call that timed out is held as PROCESSING: it may have arrived.
    expect(actual).toEqual(
      actual.map(({ kind, status }) => ({
        kind,
        status,
        hold: status === 'COMPLETED' ? null : SWITCHES[kind]?.hold,
        isSentAsPending: false,
      })),
    );
    return { sent: lagsOf(switched, await stage.readSent()), arrived: lagsOf(switched, seen) };
  }

  /** Lets the users go on, then looks what became of every post. */
  async function checkEnds(switched: readonly Switched[]): Promise<void> {
    for (const { kind, user } of switched) {
      const on = SWITCHES[kind]?.on;
      if (on !== undefined) await stage.db.execute(on(user.id));
    }
    await stage.untilOpen(0);
    const posts = await postsById();
    const seen = arrivals();
    const entries = await stage.db.many<{ id: string }>(sql`
      select entity_id as id from audit_log where action = 'postPublishedAfterDelete'`);
    const audited = new Set(entries.map(({ id }) => id));
    const ends = switched.map((trial) =>
      endsOf(trial, {
        post: posts.get(trial.post),
        seenAt: seen.get(trial.post),
        isAudited: audited.has(trial.post),
      }),
    );
    expect(ends.map(({ actual }) => actual)).toEqual(ends.map(({ expected }) => expected));
    expect(host.report().duplicates).toEqual([]);
  }

  test('a user or a post that is switched off around its time stays, or says that it went out', async () => {
    const users = await addUsers(OFFSETS * Object.keys(SWITCHES).length);
    const trials = await addTrials(stage, users, random, PACE);
    const switched = await Promise.all(
      trials.map((trial) => switchOff(stage, trial, trial.dueAt + offset())),
    );
    const lags = await checkHeld(switched);
    await checkEnds(switched);
    expect(worstOf(lags, 'Switches of users and posts', MARK_MS.p99)).toBeLessThanOrEqual(
      MARK_MS.worst,
    );
  });

  test('the same while notifications are lost: the poll finds the switch', async () => {
    const users = await addUsers(Math.ceil(OFFSETS / 10) * Object.keys(SWITCHES).length);
    const trials = await addTrials(stage, users, random, PACE);
    const switchAt = Math.max(...trials.map(({ dueAt }) => dueAt)) + OFFSET_MS.from;
    await stage.until(switchAt);
    expect(await stage.terminate('meridian-engine-listen')).toBe(1);
    const switched = await Promise.all(trials.map((trial) => switchOff(stage, trial, 0)));
    const lags = await checkHeld(switched);
    await checkEnds(switched);
    expect(worstOf(lags, 'Switches without notifications', MARK_MS.worst)).toBeLessThanOrEqual(
      MARK_MS.worst,
    );
  });

  const suspend = async (isSuspended: boolean) => {
    const { at } = await stage.db.one<{ at: number }>(sql`
      update service_settings set is_service_suspended = ${isSuspended} returning ${AT}`);
    return at;
  };
  const countProcessing = async () =>
    (await stage.readPosts()).filter(({ status }) => status === 'PROCESSING').length;

  test('a suspension stops everything around its time; resumed, everything goes out', async () => {
    const users = await addUsers(PER_SUSPENSION);
    const lags: Lags = { sent: [], arrived: [] };
    const resumed: number[] = [];
    for (let round = 0; round < OFFSETS / PER_SUSPENSION; round += 1) {
      const switchAt = Date.now() + PACE.leadMs;
      const posts = await Promise.all(
        users.map((user) => stage.addPost(user, switchAt - offset() - Date.now())),
      );
      await stage.until(switchAt);
      const suspendedAt = await suspend(true);
      await expect.poll(countProcessing).toBe(0);
      const [sent, seen] = [await stage.readSent(), arrivals()];
      const after = (times: ReadonlyMap<string, number>) =>
        posts.map((post) => (times.get(post) ?? 0) - suspendedAt).filter((lag) => lag > 0);
      lags.sent.push(...after(sent));
      lags.arrived.push(...after(seen));
      const resumedAt = await suspend(false);
      await stage.untilOpen(0);
      const waited = posts.filter((post) => !seen.has(post));
      const out = arrivals();
      const times = waited.map((post) => given(out.get(post)) - resumedAt);
      if (times.length > 0) resumed.push(Math.min(...times));
    }
    expect(new Set((await stage.readPosts()).map(({ status }) => status))).toEqual(
      new Set(['COMPLETED']),
    );
    expect(host.report().duplicates).toEqual([]);
    const worst = percentile(resumed, 1);
    judge({
      goal: `Suspensions: the first post out <= ${MARK_MS.worst} ms after the end`,
      measured: `${worst} ms`,
      isMet: worst <= MARK_MS.worst,
    });
    expect(worstOf(lags, 'Suspensions', MARK_MS.p99)).toBeLessThanOrEqual(MARK_MS.worst);
  });
});

/**
 * Reports what arrived after the commits. Returns when the last post was sent after one: a busy
 * machine may be slow to take a call, but the engine may not be slow to stop.
 */
function worstOf({ sent, arrived }: Lags, what: string, p99Ms: number): number {
  const [p99, worst] = [percentile(arrived, 0.99), percentile(arrived, 1)];
  note({
    what,
    seed: SEED,
    'sent after the commit': sent.length,
    'arrived after it': arrived.length,
    'p99, ms': p99,
    'worst, ms': worst,
  });
  judge({
    goal: `${what}: last arrival <= ${MARK_MS.worst} ms, p99 <= ${p99Ms} ms`,
    measured: `${worst} ms, ${p99} ms`,
    isMet: worst <= MARK_MS.worst && p99 <= p99Ms,
  });
  return percentile(sent, 1);
}
