import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILED_ONCE } from '../../server/test/compiled-once.ts';
import type { Fate, Mutation } from './kill-points.ts';

const CHILD = fileURLToPath(new URL('./worker-child.ts', import.meta.url));

export type WorkerOptions = {
  connectionString: string;
  leaseMs: number;
  mutation: Mutation | null;
  /** Null: lives until it is killed. */
  fate: { at: Fate; passes: number } | null;
};

export type WorkerProcess = {
  /** Resolves when it publishes, or when it has died before. */
  ready: Promise<void>;
  kill(): void;
  /** Rejects, with what it said, when it ended otherwise than by SIGKILL. */
  killed: Promise<void>;
};

/** Starts an engine as a process that ends with its fate. */
export function startWorker(options: WorkerOptions): WorkerProcess {
  const { connectionString, leaseMs, mutation, fate } = options;
  const child = spawn(process.execPath, [CHILD], {
    env: {
      PATH: process.env['PATH'],
      ...COMPILED_ONCE,
      DATABASE_URL: connectionString,
      LEASE_MS: String(leaseMs),
      ...(mutation !== null && { MUTATION: mutation }),
      ...(fate !== null && { KILL_AT: fate.at, KILL_AFTER: String(fate.passes) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const killed = once(child, 'close').then(() => {
    if (child.signalCode !== 'SIGKILL') throw new Error(`A worker ended by itself:\n${output}`);
  });
  // Also when only `ready` is waited for.
  killed.catch(() => {});
  return {
    ready: Promise.race([once(child.stdout, 'data').then(() => {}), killed]),
    kill: () => void child.kill('SIGKILL'),
    killed,
  };
}
