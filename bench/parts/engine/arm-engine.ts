import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCounterTask } from '../../../server/src/counters/counter-task.ts';
import { openDatabase } from '../../../server/src/db/database.ts';
import { startEngine } from '../../../server/src/engine/engine.ts';
import { ENGINE_DEFAULTS } from '../../../server/src/engine/options.ts';
import type { EngineOptions } from '../../../server/src/engine/options.ts';
import { createLog } from '../../../server/src/log.ts';
import { createLocalStore } from '../../../server/src/objects/local-store.ts';
import { CONCURRENCY, sinkNetwork } from './calls.ts';
import type { RunningArm, WorkerOrder } from './workers.ts';

/** As the product sets them, but for the limits that spare real hosts. */
const OPTIONS: EngineOptions = {
  ...ENGINE_DEFAULTS,
  concurrency: CONCURRENCY,
  hostConcurrency: 16,
  hostPerSecond: Infinity,
  egress: 'bench',
  leaseMs: 15_000,
  lateLimitMs: 60 * 60_000,
  retryWindowMs: 10 * 60_000,
};

/** The posts measured have no pictures. */
const EMPTY_STORE = createLocalStore({
  root: join(tmpdir(), 'meridian-bench-no-objects'),
  publicUrl: (key) => key,
});

/** The engine itself, and the counters that every process applies. */
export async function runEngine(order: WorkerOrder): Promise<RunningArm> {
  const connection = { connectionString: order.connectionString };
  const log = createLog('warn');
  const db = openDatabase(connection, { maxConnections: 1, onError: (error) => log.warn(error) });
  const counters = order.hasCounters ? startCounterTask(db, log) : null;
  const engine = await startEngine({
    connection,
    network: sinkNetwork(),
    objects: EMPTY_STORE,
    options: OPTIONS,
    log,
    version: 'bench',
  });
  return {
    async stop() {
      await engine.stop();
      await counters?.stop();
      await db.close();
    },
  };
}
