import { expect, test, vi } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';
import { createLocalNetwork } from '../network/local/local-network.ts';
import { claimPosts } from './claim.ts';
import { createClock } from './heartbeat.ts';
import { createDelivery } from './deliver.ts';
import type { DeliveryOptions } from './deliver.ts';
import { prepare } from './prepare.ts';
import { createHosts } from './hosts.ts';
import { openSwitches } from './switches.ts';

const PAUSE_MS = 60_000;
const limitsOf = () => ({ concurrency: 1, perSecond: () => Infinity });

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
