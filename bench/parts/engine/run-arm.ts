import { setTimeout as delay } from 'node:timers/promises';
import type { Closers } from '../../../server/src/closers.ts';
import type { BenchDatabase } from './bench-database.ts';
import { insertDuePosts } from './due-posts.ts';
import { untilSettled } from './settled.ts';
import type { Sink } from './sink.ts';
import { startWorkers } from './workers.ts';
import type { Arm } from './workers.ts';

export type Outcome = {
  arm: Arm;
  posts: number;
  /** From the first due moment to the last arrival. */
  seconds: number;
  /** Arrival after the due moment of each post, in milliseconds; below zero: too early. */
  lateness: number[];
  duplicates: number;
  lost: number;
  /** CPU milliseconds for each post, until everything is settled and counted. */
  workerCpu: number;
  postgresCpu: number;
};

export type ArmPlan = { arm: Arm; run: string; posts: number; stepMs: number };

/** The engine begins so long before the first post is due. */
const LOOK_AHEAD_MS = 2_000;
const POLL_MS = 500;
/** Without an arrival for so long, what is missing is lost: longer than a lease and a retry take. */
const PATIENCE_MS = 60_000;

/** Lets an arm publish posts, from before they are due until all are settled; `beside` runs meanwhile. */
export async function runArm(
  { arm, run, posts, stepMs }: ArmPlan,
  { database, sink, closers }: { database: BenchDatabase; sink: Sink; closers: Closers },
  beside: () => Promise<unknown> = async () => {},
): Promise<Outcome> {
  const { client, connectionString } = database;
  const workers = await startWorkers(
    { arm, run, posts, connectionString, hosts: sink.hosts, hasCounters: true },
    closers,
  );
  const due = { run, posts, stepMs, hasJobs: arm === 'graphile' };
  const startAt = arm === 'loop' ? Date.now() + 1_000 : await insertDuePosts(client, due);
  workers.begin(startAt);
  await delay(Math.max(0, startAt - LOOK_AHEAD_MS - Date.now()));
  const before = { worker: await workers.cpuMs(), postgres: await database.cpuMs() };
  const arrived = allArrived(sink, run, posts, startAt);
  const other = beside();
  // Both are over before one of them fails: what it would close, the other still uses.
  await Promise.allSettled([arrived, other]);
  await other;
  const { arrivals, duplicates } = await arrived;
  if (arm !== 'loop') await untilSettled(client);
  const after = { worker: await workers.cpuMs(), postgres: await database.cpuMs() };
  await workers.stop();
  const times = [...arrivals.values()];
  return {
    arm,
    posts,
    seconds: (times.reduce((last, at) => Math.max(last, at), 0) - startAt) / 1000,
    lateness: [...arrivals].map(([number, at]) => at - startAt - number * stepMs),
    duplicates,
    lost: posts - arrivals.size,
    workerCpu: (after.worker - before.worker) / posts,
    postgresCpu: (after.postgres - before.postgres) / posts,
  };
}

async function allArrived(sink: Sink, run: string, posts: number, startAt: number) {
  let changedAt = startAt;
  let known = 0;
  for (;;) {
    const report = await sink.report(run);
    if (report.arrivals.size > known) changedAt = Date.now();
    known = report.arrivals.size;
    if (known === posts || Date.now() > changedAt + PATIENCE_MS) return report;
    await delay(POLL_MS);
  }
}
