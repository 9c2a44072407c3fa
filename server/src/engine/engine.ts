import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { startBackgroundTask } from '../background-task.ts';
import type { EngineOptions } from '../config.ts';
import { createBatcher, createOneByOne } from '../db/batch.ts';
import type { Locked } from '../db/batch.ts';
import { openDatabase } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { ENGINE_PLANS } from '../db/sql.ts';
import { createEngineMetrics } from '../metrics/engine-metrics.ts';
import type { EngineMetrics } from '../metrics/engine-metrics.ts';
import type { Network } from '../network/network.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { CLAIM_BATCH, claimPosts } from './claim.ts';
import type { ClaimedPost } from './claim.ts';
import {
  claimDeleted,
  confirmAccounts,
  createConfirm,
  disconnectAccount,
  planLook,
} from './confirm.ts';
import { createDelivery } from './deliver.ts';
import {
  beat,
  createClock,
  createLateness,
  learnTime,
  leave,
  ownTime,
  pause,
} from './heartbeat.ts';
import type { Share } from './heartbeat.ts';
import { createHosts, saveHosts } from './hosts.ts';
import { countFaults, journal, readJournal } from './journal.ts';
import type { Entry, Journalled } from './journal.ts';
import { prepare } from './prepare.ts';
import { renewLeases, settleFenced, settlePublished, settleUnpublished } from './settle.ts';
import type { Published, Unpublished } from './settle.ts';
import { createPostsInHand, openSwitches } from './switches.ts';

/** Claims are paced: in a trickle, claiming every post by itself would cost eight times as much. */
const CLAIM_GAP_MS = { full: 20, some: 250, none: 1_400 } as const;
/** Settlements share statements too: only readers of the status wait for them. */
const SETTLE_GAP_MS = 125;
const LONGEST_GAP_MS = 1_000;
const HEARTBEAT_MS = 5_000;
const ACCOUNTS_MS = 60_000;
/** With a query and a call a switch is obeyed within a second, even if its notification is lost. */
const SWITCH_POLL_MS = 700;
const STOP_MS = 10_000;
const CONNECTIONS = 4;
/** Unlike a request, a published post can wait until it is settled. */
const CONNECT_MS = 10_000;

export const ENGINE_SETTINGS = {
  ...ENGINE_PLANS,
  /** A paused worker keeps its locks, so the server ends its connection after as long as a lease lasts. */
  tcp_user_timeout: 15_000,
  /** A journal entry counts once it is on disk, whatever the role, the database or the server has set. */
  synchronous_commit: 'on',
};

export type EngineStart = {
  connection: ClientConfig;
  network: Network;
  objects: ObjectStore;
  options: EngineOptions;
  log: Logger;
  version: string;
};

export type Engine = {
  readonly metrics: EngineMetrics;
  stop(): Promise<void>;
};

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
  let share: Share = { index: 0, of: 1 };
  let hasDeleted = false;
  const hosts = createHosts({
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
  const switches = await openSwitches({ db, connection, log, onWake: wake, onSuspended });

  /** A claim that the database cannot answer in time may be of large posts: the next one is of fewer. */
  let claimMost = CLAIM_BATCH;
  const inHand = createPostsInHand({
    switches,
    now: () => performance.now(),
    log,
    most: Math.max(2 * CLAIM_BATCH, options.concurrency * 10),
    onRoom: wake,
  });
  const gapOf = (ms: number) => Math.min(ms * share.of, LONGEST_GAP_MS);
  const stores = batchedStores(db, metrics, () => gapOf(SETTLE_GAP_MS));
  const confirm = createConfirm({
    network,
    clock,
    hosts,
    options,
    log,
    settlePublished: (post) => stores.settlePublished(post),
    planLook: ({ id }, inMs) => planLook(db, id, inMs),
  });
  const deliver = createDelivery({
    ...stores,
    network,
    clock,
    hosts,
    switches,
    options,
    workerId,
    log,
    stopping: stopping.signal,
    random: Math.random,
    prepare: (post, now) => prepare(post, { network, objects, account: post, now }),
    onPublished(post, sentAt) {
      const lateMs = inHand.isByHand(post) ? null : sentAt - post.scheduledAt.getTime();
      lateness.add(lateMs);
      if (lateMs !== null) metrics.lateness.observe(Math.max(0, lateMs) / 1000);
    },
  });

  async function claimOnce(): Promise<number> {
    if (inHand.isFull() || clock.offMs() !== null) return CLAIM_GAP_MS.none;
    if (switches.isSuspended()) {
      // The notification of the suspension's end may have been lost.
      await switches.poll();
      if (switches.isSuspended()) return CLAIM_GAP_MS.none;
    }
    const claimedAt = performance.now();
    const most = claimMost;
    claimMost = Math.ceil(most / 4);
    const { defaultHost } = network;
    const claim = await claimPosts(db, { ...options, most, share, defaultHost });
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
      inHand.take(post, { claimedAt, work: () => confirm(post, earlierOf(post)) });
    }
    if (claim.examined >= most) return CLAIM_GAP_MS.full;
    return claim.examined > 0 ? gapOf(CLAIM_GAP_MS.some) : CLAIM_GAP_MS.none;
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
    const learned = await beat(db, {
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
    clock.learn(learned.nowMs, askedAt, ownTime());
    ({ sharing, share, hasDeleted } = learned);
    if (learned.isRestored) {
      log.warn(
        'The database was restored, or another server took over: hosts are asked before any post fails that was due before now',
      );
    }
    const changed = hosts.takeChanges();
    if (changed.length > 0) await saveHosts(db, changed);
  }

  async function confirmDeleted(): Promise<void> {
    if (!hasDeleted || stopping.signal.aborted) return;
    const deleted = await claimDeleted(db, options.leaseMs);
    await Promise.all(deleted.map(({ post, entry }) => confirm(post, entry)));
  }

  async function watchPosts(): Promise<void> {
    const wasSuspended = switches.isSuspended();
    if (inHand.isEmpty() && !wasSuspended) return;
    await switches.poll();
    if (wasSuspended && !switches.isSuspended()) wake();
    await inHand.renew(options.leaseMs, (posts) => renewLeases(db, posts, options.leaseMs));
  }

  await heartbeat();
  const tasks = [
    { name: 'engine heartbeat', intervalMs: HEARTBEAT_MS, run: heartbeat },
    { name: 'engine switches', intervalMs: SWITCH_POLL_MS, run: watchPosts },
    { name: 'engine deleted posts', intervalMs: HEARTBEAT_MS, run: confirmDeleted },
    {
      name: 'engine accounts',
      intervalMs: ACCOUNTS_MS,
      run: () => confirmAccounts({ db, network, hosts }),
    },
  ].map((task) => startBackgroundTask({ ...task, log }));
  const running = run();

  return {
    metrics,
    async stop() {
      stopping.abort();
      hosts.close();
      await running;
      const finished = new AbortController();
      void inHand.settled().then(() => finished.abort());
      await pause(STOP_MS, finished.signal);
      for (const task of tasks) await task.stop();
      await switches.close();
      await leave(db, workerId).catch((error: unknown) =>
        log.debug({ err: error }, 'Not signed off'),
      );
      await network.close();
      await db.close();
    },
  };
}

function batchedStores(db: Db, metrics: EngineMetrics, settleGapMs: () => number) {
  const journalled = createBatcher(async (entries: Entry[], locked) => {
    const found = await journal(db, entries, locked);
    return new Map(
      entries.flatMap((entry) => {
        const own = found.get(entry.post.id);
        return own === undefined ? [] : [[entry, own] as const];
      }),
    );
  });

  const settler = <Post>(
    settle: (db: Db, posts: readonly Post[], locked: Locked) => Promise<Post[]>,
  ) =>
    createBatcher(
      async (posts: Post[], locked) => {
        const left = new Set(await settle(db, posts, locked));
        return new Map(posts.filter((post) => !left.has(post)).map((post) => [post, true]));
      },
      { gapMs: settleGapMs },
    );
  const published = settler<Published>(settlePublished);
  const unpublished = settler<Unpublished>(settleUnpublished);

  /** Accounts that another transaction has locked keep one connection waiting, not all. */
  const oneByOne = createOneByOne();

  return {
    journal: async (entry: Entry) => (await journalled(entry)) ?? null,
    countFaults: ({ id }: ClaimedPost) => countFaults(db, id),

    async settlePublished(post: Published): Promise<void> {
      if ((await published(post)) === undefined) {
        await settleFenced(db, post);
        metrics.fenced.inc();
      }
      metrics.published.inc({ outcome: post.outcome });
    },

    async settleUnpublished(post: Unpublished): Promise<void> {
      if ((await unpublished(post)) === undefined) metrics.fenced.inc();
      if (post.status === 'FAILED') metrics.failed.inc({ cause: post.cause ?? 'internal' });
      else if (post.call !== null) metrics.retries.inc();
    },

    disconnect: ({ userId }: ClaimedPost, state: string) =>
      oneByOne(async () => {
        if (await disconnectAccount(db, userId, state)) metrics.disconnected.inc({ state });
      }),
  };
}
