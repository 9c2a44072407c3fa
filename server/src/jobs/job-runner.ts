import { Logger } from 'graphile-worker';
import type { TaskList } from 'graphile-worker';
import { startBackgroundTask } from '../background-task.ts';
import { openDatabase } from '../db/database.ts';
import { patiently } from '../db/patiently.ts';
import { BY_INDEX_SETTINGS } from '../db/plan-by-index.ts';
import { runBulkChange } from '../features/bulk/bulk-job.ts';
import { BULK_TASK, deleteOldPreviews, reviveStalled } from '../features/bulk/bulk.store.ts';
import { createRetryCheck, findRecordOf } from '../features/posts/retry.ts';
import type { Foundation } from '../foundation.ts';
import { openJobPool } from './job-pool.ts';
import { startJobQueue } from './job-queue.ts';
import { RETENTION_CRON, RETENTION_TASK, runRetention } from './retention.ts';

/** At once in this process; several processes share the queue. */
const CONCURRENCY = 2;
/** One connection hears of new jobs, the others fetch and finish them. */
const CONNECTIONS = CONCURRENCY + 1;
const REVIVE_INTERVAL_MS = 10_000;
/** New jobs are notified; polling only catches what was missed. */
const POLL_INTERVAL_MS = 10_000;

export type JobRunner = { stop(): Promise<void> };

/** Runs the jobs of the queue until it is stopped; what is unfinished then goes on after the next start. */
export async function startJobRunner(foundation: Foundation): Promise<JobRunner> {
  const { connection, log, objects } = foundation;
  const stopping = new AbortController();
  const onError = (error: Error) =>
    log.warn({ err: error }, 'A database connection of the job queue broke');
  const pgPool = openJobPool(connection, CONNECTIONS, onError);
  // Its own: batches find their rows by key, and take no connection from a request.
  const db = openDatabase(
    { application_name: 'meridian-jobs', ...connection },
    // Before their table has statistics, the next rows of a change would be all of its rows, sorted.
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
  const logger = new Logger(() => (level, message, meta) => {
    if (level !== 'error') return;
    // Its other errors are those of a connection: listening, fetching jobs, writing that one is done.
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
