import { Logger, run } from 'graphile-worker';
import { startCounterTask } from '../../../server/src/counters/counter-task.ts';
import { openDatabase } from '../../../server/src/db/database.ts';
import { sql } from '../../../server/src/db/sql.ts';
import { createBatcher } from '../../../server/src/engine/batcher.ts';
import { PLAN_BY_INDEX } from '../../../server/src/engine/plan-by-index.ts';
import { settlePublished } from '../../../server/src/engine/settle.store.ts';
import type { Published } from '../../../server/src/engine/settle.store.ts';
import { createLog } from '../../../server/src/log.ts';
import { cidOfRecord, newRkey } from '../../../server/src/network/identifiers.ts';
import { POST_COLLECTION } from '../../../server/src/network/network.ts';
import { CONCURRENCY, sinkNetwork } from './calls.ts';
import type { RunningArm, WorkerOrder } from './workers.ts';

/** It would write a line for every job. */
const SILENT = new Logger(() => () => {});

export type PublishJob = { postId: string; did: string; host: string; text: string; at: string };

/**
 * A job queue beside the posts: the same two updates of a post around the same call, in batches like
 * the engine's, but without its journal, holds and switches.
 */
export async function runGraphile(order: WorkerOrder): Promise<RunningArm> {
  const { connectionString } = order;
  const log = createLog('warn');
  const db = openDatabase(
    { connectionString },
    { maxConnections: 4, settings: PLAN_BY_INDEX, onError: (error) => log.warn(error) },
  );
  const counters = startCounterTask(db, log);
  const network = sinkNetwork();
  const begun = createBatcher(async (ids: string[]) => {
    await db.execute(sql`
      update posts set status = 'PROCESSING', claim_at = now() + interval '15 seconds',
        attempt = attempt + 1, version = version + 1, updated_at = now()
      where id = any(${ids}::uuid[]) and (status = 'PENDING') is true`);
    return () => {};
  });
  const published = createBatcher(
    async (posts: Published[]) => {
      await settlePublished(db, posts);
      return () => {};
    },
    { minGapMs: 15 },
  );

  async function publish({ postId, did, host, text, at }: PublishJob): Promise<void> {
    await begun.add(postId);
    const rkey = newRkey();
    const record = { $type: POST_COLLECTION, text, createdAt: at } as const;
    const write = { rkey, cid: cidOfRecord(record), record };
    await network.putRecord({ userId: '', did, host }, write);
    const atUri = `at://${did}/${POST_COLLECTION}/${rkey}`;
    const sentAt = Date.now();
    await published.add({
      postId,
      attempt: 1,
      outcome: 'published',
      atUri,
      rkey,
      sentAt,
      note: null,
    });
  }

  const runner = await run({
    connectionString,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    logger: SILENT,
    preset: { worker: { localQueue: { size: 200 }, completeJobBatchDelay: 15, pollInterval: 100 } },
    // The payload is the one that `queueJobs` wrote.
    taskList: { publish: (payload) => publish(payload as PublishJob) },
  });
  return {
    async stop() {
      await runner.stop();
      await counters.stop();
      await network.close();
      await db.close();
    },
  };
}
