import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Closers } from '../../../server/src/closers.ts';
import { cpuOf } from '../../measure/cpu-time.ts';

export type Arm = 'loop' | 'graphile' | 'engine';
export type WorkerOrder = {
  arm: Arm;
  connectionString: string;
  hosts: readonly string[];
  /** For the loop, which reads no database: what to send. */
  run: string;
  first: number;
  posts: number;
  /** Whether the process applies counter deltas, as every process of the product does. */
  hasCounters: boolean;
};
/** An arm that is ready; the arms with a database begin when posts are due. */
export type RunningArm = { begin?(startAt: number): void; stop(): Promise<void> };
export type Workers = {
  begin(startAt: number): void;
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
};

export const WORKERS = 2;

/** As many processes as measured; they share the posts. */
export async function startWorkers(
  order: Omit<WorkerOrder, 'first'>,
  closers: Closers,
): Promise<Workers> {
  const share = Math.ceil(order.posts / WORKERS);
  const children = await Promise.all(
    Array.from({ length: WORKERS }, async (_, index) => {
      const child = fork(join(import.meta.dirname, 'worker-child.ts'), { execArgv: EXEC_ARGV });
      const first = index * share;
      const posts = Math.min(share, order.posts - first);
      child.send({ ...order, first, posts } satisfies WorkerOrder);
      await once(child, 'message');
      return { child, pid: child.pid ?? 0, ended: once(child, 'exit') };
    }),
  );
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    for (const { child } of children) if (child.connected) child.send('stop');
    await Promise.all(children.map(({ ended }) => ended));
  };
  closers.add(stop);
  return {
    begin(startAt) {
      for (const { child } of children) child.send(startAt);
    },
    async cpuMs() {
      const times = await Promise.all(children.map(({ pid }) => cpuOf(pid)));
      return times.reduce((sum, ms) => sum + ms, 0);
    },
    stop,
  };
}

/** `BENCH_CPU_PROF=folder` writes a CPU profile of each process there. */
const PROFILES = process.env['BENCH_CPU_PROF'];
const EXEC_ARGV = PROFILES === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`];
