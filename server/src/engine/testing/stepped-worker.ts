import type { ClientConfig } from 'pg';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { createLog } from '../../log.ts';
import { createLocalNetwork } from '../../network/local/local-network.ts';
import type { Network, NetworkResponse } from '../../network/network.ts';
import { createLocalStore } from '../../objects/local-store.ts';
import { publicUrls } from '../../objects/object-store.ts';
import { claimPosts } from '../claim.ts';
import type { ClaimedPost } from '../claim.ts';
import { createConfirm, planLook } from '../confirm.ts';
import { createDelivery } from '../deliver.ts';
import { createClock, learnTime } from '../heartbeat.ts';
import { createHosts } from '../hosts.ts';
import { journal, readJournal } from '../journal.ts';
import { prepare } from '../prepare.ts';
import { settleFenced, settlePublished, settleUnpublished } from '../settle.ts';
import type { Published } from '../settle.ts';
import { openSwitches } from '../switches.ts';

/** In the order in which a delivery comes past them. */
export const MOMENTS = [
  'before the claim',
  'before the journal',
  'journalled',
  'on the wire',
  'responded',
  'settled',
] as const;
export type Moment = (typeof MOMENTS)[number];

/** The delivery goes on when it resolves. */
export type Stop = (moment: Moment, post: ClaimedPost) => Promise<void>;
/** What the host responds to the first call instead of its own response, and whether it writes. */
export type Scripted = { writes: boolean; response: NetworkResponse };

export type SteppedOptions = {
  db: Database;
  connection: ClientConfig;
  /** False: the worker learns of changes by asking only. */
  isListening: boolean;
};

const OPTIONS = {
  concurrency: 8,
  hostConcurrency: 8,
  hostPerSecond: Infinity,
  egress: 'test',
  lookaheadMs: 1_000,
  leaseMs: 60_000,
  lateLimitMs: 3_600_000,
  retryWindowMs: 600_000,
};

/** An engine that does one thing at a time and can be stopped at every moment of a delivery. */
export async function openSteppedWorker({ db, connection, isListening }: SteppedOptions) {
  const log = createLog('silent');
  const clock = createClock(log);
  await learnTime(db, clock);
  const switches = await openSwitches({
    db,
    connection: isListening ? connection : { host: '127.0.0.1', port: 1 },
    log,
    onWake: () => {},
    onSuspended: () => {},
  });
  const hosts = createHosts({
    concurrency: OPTIONS.concurrency,
    now: clock.now,
    limitsOf: () => ({ concurrency: OPTIONS.concurrency, perSecond: () => Infinity }),
  });
  const local = createLocalNetwork(db);
  const objects = createLocalStore({ root: '/nonexistent', publicUrl: publicUrls('/cdn/') });
  const settle = async (published: Published) => {
    for (const fenced of await settlePublished(db, [published])) await settleFenced(db, fenced);
  };
  const confirm = createConfirm({
    network: local,
    clock,
    hosts,
    options: OPTIONS,
    log,
    settlePublished: settle,
    planLook: ({ id }, inMs) => planLook(db, id, inMs),
  });

  async function deliver(post: ClaimedPost, stop: Stop, scripted: Scripted | null): Promise<void> {
    const network: Network = {
      ...local,
      async putRecord(account, write) {
        await stop('on the wire', post);
        if (scripted === null) return local.putRecord(account, write);
        if (scripted.writes) await local.putRecord(account, write);
        return scripted.response;
      },
    };
    const run = createDelivery({
      network,
      prepare: (prepared, now) => prepare(prepared, { network, objects, account: prepared, now }),
      clock,
      hosts,
      switches,
      options: OPTIONS,
      workerId: 'stepped',
      log,
      stopping: new AbortController().signal,
      async journal(entry) {
        await stop('before the journal', post);
        const found = (await journal(db, [entry])).get(post.id);
        if (found === undefined) throw new Error('No journal entry');
        await stop('journalled', post);
        return found;
      },
      async settlePublished(published) {
        await stop('responded', post);
        await settle(published);
      },
      countFaults: async () => 0,
      async settleUnpublished(unpublished) {
        await settleUnpublished(db, [unpublished]);
      },
      disconnect: async () => {},
      onPublished: () => {},
      random: Math.random,
    });
    const earlier = post.attempt > 1 ? await readJournal(db, [post]) : new Map<string, never>();
    switches.hold(post, performance.now());
    await run(post, earlier.get(post.id) ?? null);
    switches.letGo(post);
  }

  return {
    switches,
    /** Claims everything that is due and delivers it; returns how many that were. */
    async step(stop: Stop, scripted: Scripted | null = null): Promise<number> {
      const claim = await claimPosts(db, { ...OPTIONS, defaultHost: local.defaultHost });
      const { posts, decided } = claim;
      for (const post of posts) await deliver(post, stop, scripted);
      const entries = await readJournal(db, decided);
      for (const post of decided) await confirm(post, entries.get(post.id) ?? null);
      return posts.length + decided.length;
    },
    /** Until nothing is left to do: backoffs are over at once, leases are not. */
    async finish(): Promise<void> {
      const backoffIsOver = sql`
        update posts set claim_at = now()
        where claim_at < now() + ${OPTIONS.leaseMs / 2} * interval '1 millisecond'`;
      do await db.execute(backoffIsOver);
      while ((await this.step(async () => {})) > 0);
    },
    close: () => switches.close(),
  };
}

export type SteppedWorker = Awaited<ReturnType<typeof openSteppedWorker>>;
