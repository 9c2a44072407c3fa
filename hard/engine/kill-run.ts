import { createRandom } from '@meridian/demo/random';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../server/src/db/database.ts';
import {
  countOpenPosts,
  endBackoffs,
  insertDuePosts,
} from '../../server/src/engine/testing/due-posts.ts';
import { KILL_POINTS } from './kill-points.ts';
import type { Fate, Mutation } from './kill-points.ts';
import { startWorker } from './worker-process.ts';
import type { WorkerProcess } from './worker-process.ts';

export type KillRun = {
  db: Database;
  connectionString: string;
  /** At least so many. */
  posts: number;
  kills: number;
  processes: number;
  leaseMs: number;
  seed: string;
  mutation?: Mutation | null;
};

const FATES: readonly Fate[] = [...KILL_POINTS, 'at random'];
/** The journal and the settlement come past in batches. */
const BATCHED: ReadonlySet<Fate> = new Set([
  'before the journal',
  'after the journal',
  'after it is settled',
]);
const BATCHES_MAX = 3;
const RANDOM_KILL_MS = 1_500;
const DUE_WITHIN_MS = 2_000;
const TICK_MS = 50;

/** Of slow workers some may not have met their point when all posts are published: more posts come. */
const MOST_TIMES_POSTS = 3;

/** Publishes posts with processes that are killed and replaced; returns how many, and the kills by fate. */
export async function runKills(run: KillRun): Promise<{ done: Map<Fate, number>; posts: number }> {
  const { db, posts, kills, processes, leaseMs } = run;
  const random = createRandom(run.seed);
  const fates = random.shuffled(
    Array.from({ length: kills }, (_, index) => FATES[index % FATES.length] ?? 'at random'),
  );
  const done = new Map<Fate, number>();
  const survivors: WorkerProcess[] = [];
  /** So many posts for every kill that a worker comes past its point often enough. */
  const perKill = Math.floor(posts / (kills + processes));
  let killed = 0;
  let inserted = 0;
  let isOver = false;

  async function keepOneRunning(): Promise<void> {
    for (let at = fates.pop(); at !== undefined; at = fates.pop()) {
      const most = BATCHED.has(at) ? BATCHES_MAX : Math.max(1, Math.floor(perKill / 2));
      const worker = start({ at, passes: random.int(1, most) });
      await worker.ready;
      if (at === 'at random') {
        await delay(random.int(0, RANDOM_KILL_MS));
        worker.kill();
      }
      await worker.killed;
      killed += 1;
      done.set(at, (done.get(at) ?? 0) + 1);
    }
  }

  /** Those that live come last: posts that they took would not meet the workers yet to be killed. */
  async function keepAllRunning(): Promise<never> {
    await Promise.all(Array.from({ length: processes }, () => keepOneRunning()));
    if (!isOver) for (let slot = 0; slot < processes; slot += 1) start(null);
    return new Promise<never>(() => {});
  }

  function start(fate: { at: Fate; passes: number } | null): WorkerProcess {
    const { connectionString, mutation = null } = run;
    const worker = startWorker({ connectionString, leaseMs, mutation, fate });
    survivors.push(worker);
    return worker;
  }

  const areKillsOver = () => killed === kills || inserted > posts * MOST_TIMES_POSTS;

  /**
   * Posts come as others are settled, else workers would die of old ones only; and as workers die, so
   * that the last kill still meets some.
   */
  function wantedNow(open: number): number {
    if (inserted >= posts) return open === 0 && !areKillsOver() ? perKill : 0;
    if (open > perKill * processes) return 0;
    const share = killed === kills ? posts : perKill * (killed + processes);
    const wanted = Math.min(perKill, posts - inserted);
    return open === 0 || inserted + wanted <= share ? wanted : 0;
  }

  async function feed(): Promise<void> {
    let open = 0;
    while (open > 0 || inserted < posts || !areKillsOver()) {
      const wanted = wantedNow(open);
      if (wanted > 0) await insertDuePosts(db, wanted, DUE_WITHIN_MS);
      inserted += wanted;
      await endBackoffs(db, leaseMs);
      await delay(TICK_MS);
      open = await countOpenPosts(db);
    }
  }

  try {
    await Promise.race([feed(), keepAllRunning()]);
  } finally {
    isOver = true;
    fates.length = 0;
    for (const worker of survivors) worker.kill();
    await Promise.all(survivors.map((worker) => worker.killed));
  }
  return { done, posts: inserted };
}
