import { Logger as WorkerLogger, run } from 'graphile-worker';
import type { Runner, RunnerOptions, TaskList } from 'graphile-worker';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startBackgroundTask } from '../background-task.ts';
import type { BackgroundTask } from '../background-task.ts';
import { openDatabase, openJobPool } from '../db/database.ts';
import { driverError, patiently } from '../db/errors.ts';
import { BY_INDEX_SETTINGS } from '../db/sql.ts';
import { runBulkChange } from '../features/bulk/bulk-job.ts';
import { BULK_TASK, deleteOldPreviews, reviveStalled } from '../features/bulk/bulk.store.ts';
import { createRetryCheck, findRecordOf } from '../features/posts/retry.ts';
import type { Foundation } from '../foundation.ts';
import { RETENTION_CRON, RETENTION_TASK, runRetention } from './retention.ts';

const CONCURRENCY = 2;
/** One connection hears of new jobs, the others fetch and finish them. */
const CONNECTIONS = CONCURRENCY + 1;
const REVIVE_INTERVAL_MS = 10_000;
/** New jobs are notified; polling only catches what was missed. */
const POLL_INTERVAL_MS = 10_000;

export async function startJobRunner(foundation: Foundation): Promise<BackgroundTask> {
  const { connection, log, objects } = foundation;
  const stopping = new AbortController();
  const onError = (error: Error) =>
    log.warn({ err: error }, 'A database connection of the job queue broke');
  const pgPool = openJobPool(connection, CONNECTIONS, onError);
  // A pool of its own keeps batches from taking a connection from a request.
  const db = openDatabase(
    { application_name: 'meridian-jobs', ...connection },
    // Before their table has statistics, PostgreSQL would sort all rows of a change to find the next.
    { maxConnections: CONCURRENCY, settings: BY_INDEX_SETTINGS, onError },
  );
  const tools = { requireRetryable: createRetryCheck(findRecordOf({ ...foundation, db })) };
  const taskList: TaskList = {
    // The payload is the one that `startJob` wrote.
    [BULK_TASK]: (payload) => runBulkChange(db, tools, payload as { id: string }, stopping.signal),
    [RETENTION_TASK]: async () => {
      await runRetention({ db, objects, signal: stopping.signal });
    },
  };
  const logger = new WorkerLogger(() => (level, message, meta) => {
    if (level !== 'error') return;
    // All other errors of the library are those of a connection.
    if (meta?.failure === true) log.warn({ job: message }, 'A job failed; it is started again');
    else log.warn({ queue: message }, 'A database connection of the job queue broke');
  });
  const queue = await startJobQueue(
    {
      pgPool,
      taskList,
      crontab: RETENTION_CRON,
      logger,
      concurrency: CONCURRENCY,
      pollInterval: POLL_INTERVAL_MS,
    },
    log,
  );

  const revive = startBackgroundTask({
    name: 'start stalled jobs again and delete old previews',
    intervalMs: REVIVE_INTERVAL_MS,
    log,
    run: async () => {
      await reviveStalled(db);
      await deleteOldPreviews(db);
    },
  });
  await patiently(() => reviveStalled(db));
  return {
    async stop() {
      stopping.abort();
      await revive.stop();
      await queue.stop();
      await pgPool.end();
      await db.close();
    },
  };
}

const RESTART_DELAY_MS = 1000;

/** The library ends when it cannot write that a job is done: then it is started again. */
async function startJobQueue(options: RunnerOptions, log: Logger): Promise<BackgroundTask> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const whenStopping = once(signal, 'abort');
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
      // The library has logged the reason.
      await Promise.race([runner.promise.catch(() => {}), whenStopping]);
      if (signal.aborted) {
        // It rejects only when it has just ended by itself.
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
