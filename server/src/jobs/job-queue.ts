import { setTimeout as delay } from 'node:timers/promises';
import { run } from 'graphile-worker';
import type { Runner, RunnerOptions } from 'graphile-worker';
import type { Logger } from 'pino';
import { driverError } from '../db/errors.ts';

const RESTART_DELAY_MS = 1000;

export type JobQueue = { stop(): Promise<void> };

/**
 * Runs the queue until it is stopped. The library ends when it cannot write that a job is done, for
 * instance because its connection broke: then it is started again.
 */
export async function startJobQueue(options: RunnerOptions, log: Logger): Promise<JobQueue> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const whenStopping = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  // With batches the library waits for these writes when it stops, and handles their failure;
  // without, no code awaits them, and a failure would end the process.
  const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };
  const start = () => run({ ...options, preset, noHandleSignals: true });

  async function startAgain(): Promise<Runner | undefined> {
    for (;;) {
      await delay(RESTART_DELAY_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        return await start();
      } catch (error) {
        log.warn({ err: error }, 'The job queue could not be started; it is tried again');
      }
    }
  }

  async function supervise(first: Runner): Promise<void> {
    let runner: Runner | undefined = first;
    while (runner !== undefined) {
      // Why it ended was logged by the library.
      await Promise.race([runner.promise.catch(() => {}), whenStopping]);
      if (signal.aborted) {
        // It refuses only when it has just ended by itself.
        await runner.stop().catch(() => {});
        return;
      }
      log.warn('The job queue stopped; it is started again');
      runner = await startAgain();
    }
  }

  const first = await start().catch((error: unknown) => {
    throw driverError(error);
  });
  const supervised = supervise(first);
  return {
    async stop() {
      stopping.abort();
      await supervised;
    },
  };
}
