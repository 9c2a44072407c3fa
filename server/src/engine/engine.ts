import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { startBackgroundTask } from '../background-task.ts';
import { openDatabase } from '../db/database.ts';
import type { Network } from '../network/network.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { createBatcher } from './batcher.ts';
import { CLAIM_BATCH, claimPosts } from './claim.store.ts';
import type { ClaimedPost } from './claimed-post.ts';
import { createClock, learnTime, ownTime, pause } from './clock.ts';
import { createDelivery } from './deliver.ts';
import { createEngineMetrics } from './engine-metrics.ts';
import { disconnectAccount } from './accounts.store.ts';
import { claimDeleted, countFaults, journal, readJournal } from './journal.store.ts';
import type { Entry, Journalled } from './journal.store.ts';
import { createLanes } from './lanes.ts';
import { createLateness } from './lateness.ts';
import type { EngineOptions } from './options.ts';
import { createLookAfter } from './look-after.ts';
import { lookAtAccounts } from './look-at-accounts.ts';
import { createOneByOne } from './one-by-one.ts';
import { createPostsInHand } from './posts-in-hand.ts';
import { ENGINE_SETTINGS } from './session-options.ts';
import {
  planLook,
  renewLeases,
  settleFenced,
  settlePublished,
  settleUnpublished,
} from './settle.store.ts';
import type { Published, Unpublished } from './settle.store.ts';
import { createSettler } from './settler.ts';
import { openSwitchboard } from './switchboard.ts';
import { beat, leave, saveHosts } from './workers.store.ts';

/** Claims are paced: in a trickle, claiming every post by itself would cost eight times as much. */
const CLAIM_GAP_MS = { full: 20, some: 250, none: 1_400 } as const;
const HEARTBEAT_MS = 5_000;
const ACCOUNTS_MS = 60_000;
/** With a query and a call a switch is obeyed within a second, even if its notification is lost. */
const SWITCH_POLL_MS = 700;
const STOP_MS = 10_000;
const CONNECTIONS = 4;
/** Unlike a request, a published post can wait until it is settled. */
const CONNECT_MS = 10_000;

export type EngineStart = {
  connection: ClientConfig;
  network: Network;
  objects: ObjectStore;
  options: EngineOptions;
  log: Logger;
  version: string;
};

export type Engine = {
  readonly metrics: ReturnType<typeof createEngineMetrics>;
  /** No new claims; calls on the wire may end, everything else is given back. */
  stop(): Promise<void>;
};

/** Publishes due posts until it is stopped. Any number of engines may share a database. */
export async function startEngine(start: EngineStart): Promise<Engine> {
  const { connection, network, objects, options, log, version } = start;
  const workerId = `${hostname()}/${process.pid}/${randomBytes(3).toString('hex')}`;
  const db = openDatabase(
    {
      application_name: 'meridian-engine',
      ...connection,
      connectionTimeoutMillis: CONNECT_MS,
    },
    {
      maxConnections: CONNECTIONS,
      settings: ENGINE_SETTINGS,
      onError: (error) => log.warn({ err: error }, 'A database connection of the engine broke'),
    },
  );
  const clock = createClock(log);
  await learnTime(db, clock);
  const metrics = createEngineMetrics();
  const lateness = createLateness(clock.now);
  const stopping = new AbortController();
  let sharing = 1;
  let hasDeleted = false;
  const lanes = createLanes({
    concurrency: options.concurrency,
    now: clock.now,
    limitsOf: (host) =>
      host === network.defaultHost
        ? { concurrency: options.concurrency, perSecond: () => Infinity }
        : {
            concurrency: options.hostConcurrency,
            perSecond: () => options.hostPerSecond / sharing,
          },
  });
  let waking = new AbortController();
  const wake = () => waking.abort();
  const { onSuspended } = metrics;
  const switchboard = await openSwitchboard({ db, connection, log, onWake: wake, onSuspended });

  /** A claim that the database cannot answer in time may be of large posts: the next one is of fewer. */
  let claimMost = CLAIM_BATCH;
  const inHand = createPostsInHand({
    switchboard,
    clock,
    log,
    most: Math.max(2 * CLAIM_BATCH, options.concurrency * 10),
    onRoom: wake,
  });

  const journalAlone = createOneByOne();
  const journalled = createBatcher(async (entries: Entry[]) => {
    const found = await journal(db, entries, 'skip');
    return (entry): Journalled | null | Promise<Journalled | null> =>
      found.get(entry.post.id) ??
      journalAlone(async () => (await journal(db, [entry])).get(entry.post.id) ?? null);
  });
  const settlePosts = createSettler<Published>(
    (posts, locked) => settlePublished(db, posts, locked),
    async (post) => {
      await settleFenced(db, post);
      metrics.fenced.inc();
    },
  );
  const unpublished = createSettler<Unpublished>(
    (posts, locked) => settleUnpublished(db, posts, locked),
    async () => metrics.fenced.inc(),
  );
  async function published(post: Published): Promise<void> {
    await settlePosts(post);
    metrics.published.inc({ outcome: post.outcome });
  }

  /** Accounts that another transaction has locked keep one connection waiting, not all. */
  const oneByOne = createOneByOne();

  const lookAfter = createLookAfter({
    network,
    clock,
    lanes,
    options,
    log,
    settlePublished: published,
    planLook: ({ id }, inMs) => planLook(db, id, inMs),
  });
  const deliver = createDelivery({
    network,
    objects,
    clock,
    lanes,
    switchboard,
    options,
    workerId,
    log,
    stopping: stopping.signal,
    journal: async (entry) => journalled.add(entry),
    countFaults: ({ id }) => countFaults(db, id),
    settlePublished: published,
    async settleUnpublished(post) {
      await unpublished(post);
      if (post.status === 'FAILED') metrics.failed.inc({ cause: post.cause ?? 'internal' });
      else if (post.call !== null) metrics.retries.inc();
    },
    disconnect: ({ userId }, state) =>
      oneByOne(async () => {
        if (await disconnectAccount(db, userId, state)) metrics.disconnected.inc({ state });
      }),
    onPublished(post, sentAt) {
      const lateMs = inHand.isByHand(post) ? null : sentAt - post.scheduledAt.getTime();
      lateness.add(lateMs);
      if (lateMs !== null) metrics.lateness.observe(Math.max(0, lateMs) / 1000);
    },
  });

  async function claimOnce(): Promise<number> {
    if (inHand.isFull() || clock.offMs() !== null) return CLAIM_GAP_MS.none;
    if (switchboard.isSuspended()) {
      // The notification of its end may have been lost.
      await switchboard.poll();
      if (switchboard.isSuspended()) return CLAIM_GAP_MS.none;
    }
    const claimedAt = performance.now();
    const most = claimMost;
    claimMost = Math.ceil(most / 4);
    const claim = await claimPosts(db, { ...options, most, defaultHost: network.defaultHost });
    claimMost = Math.min(CLAIM_BATCH, most * 2);
    for (const { id, error } of claim.refused) {
      log.error({ err: error, postId: id }, 'A post can neither be claimed nor fail');
    }
    metrics.observeClaim(claim, (performance.now() - claimedAt) / 1000);
    const repeated = [...claim.posts.filter(({ attempt }) => attempt > 1), ...claim.decided];
    const earlier =
      repeated.length === 0 ? new Map<string, Journalled>() : await readJournal(db, repeated);
    const earlierOf = ({ id }: ClaimedPost) => earlier.get(id) ?? null;
    for (const post of claim.posts) {
      const isRetry = post.previousCause !== null || earlierOf(post)?.maybeSent === true;
      inHand.take(post, {
        claimedAt,
        isByHand: !post.wasPending && !isRetry,
        work: () => deliver(post, earlierOf(post)),
      });
    }
    for (const post of claim.decided) {
      inHand.take(post, { claimedAt, work: () => lookAfter(post, earlierOf(post)) });
    }
    if (claim.examined >= most) return CLAIM_GAP_MS.full;
    return claim.examined > 0 ? CLAIM_GAP_MS.some : CLAIM_GAP_MS.none;
  }

  async function run(): Promise<void> {
    let isFailing = false;
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      let gapMs: number = CLAIM_GAP_MS.none;
      try {
        gapMs = await claimOnce();
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.error({ err: error }, 'The engine cannot claim posts');
        isFailing = true;
      }
      // A wake never shortens the gap that keeps claims from following each other too closely.
      await pause(CLAIM_GAP_MS.full, stopping.signal);
      await pause(gapMs - CLAIM_GAP_MS.full, AbortSignal.any([stopping.signal, waking.signal]));
    }
  }

  async function heartbeat(): Promise<void> {
    const askedAt = ownTime();
    const neighbours = await beat(db, {
      id: workerId,
      egress: options.egress,
      version,
      network: network.name,
      isStopping: stopping.signal.aborted,
      clockOffMs: clock.offMs(),
      claimed: metrics.totals.claimed,
      published: metrics.totals.published,
      lastMinute: lateness.lastMinute(),
    });
    clock.learn(neighbours.nowMs, askedAt, ownTime());
    sharing = neighbours.sharing;
    hasDeleted = neighbours.hasDeleted;
    if (neighbours.isRestored) {
      log.warn(
        'The database was restored, or another server took over: hosts are asked before any post fails that was due before now',
      );
    }
    const hosts = lanes.takeChanges();
    if (hosts.length > 0) await saveHosts(db, hosts);
  }

  async function lookAtDeleted(): Promise<void> {
    if (!hasDeleted || stopping.signal.aborted) return;
    const deleted = await claimDeleted(db, options.leaseMs);
    await Promise.all(deleted.map(({ post, entry }) => lookAfter(post, entry)));
  }

  async function watchPosts(): Promise<void> {
    const wasSuspended = switchboard.isSuspended();
    if (inHand.isEmpty() && !wasSuspended) return;
    await switchboard.poll();
    if (wasSuspended && !switchboard.isSuspended()) wake();
    await inHand.renew(options.leaseMs, (posts) => renewLeases(db, posts, options.leaseMs));
  }

  await heartbeat();
  const tasks = [
    { name: 'engine heartbeat', intervalMs: HEARTBEAT_MS, run: heartbeat },
    { name: 'engine switches', intervalMs: SWITCH_POLL_MS, run: watchPosts },
    { name: 'engine deleted posts', intervalMs: HEARTBEAT_MS, run: lookAtDeleted },
    {
      name: 'engine accounts',
      intervalMs: ACCOUNTS_MS,
      run: () => lookAtAccounts({ db, network, lanes }),
    },
  ].map((task) => startBackgroundTask({ ...task, log }));
  const running = run();

  return {
    metrics,
    async stop() {
      stopping.abort();
      // What waits for a slot is given back at once.
      lanes.close();
      await running;
      const finished = new AbortController();
      void inHand.settled().then(() => finished.abort());
      await pause(STOP_MS, finished.signal);
      for (const task of tasks) await task.stop();
      await switchboard.close();
      await leave(db, workerId).catch((error: unknown) =>
        log.debug({ err: error }, 'Not signed off'),
      );
      await network.close();
      await db.close();
    },
  };
}
