import type { Logger } from 'pino';
import { startBackgroundTask } from '../background-task.ts';
import type { BackgroundTask } from '../background-task.ts';
import type { Db } from '../db/database.ts';
import { applyDeltas, vacuumDeltas } from './counters.store.ts';

const INTERVAL_MS = 1_000;
/** Two thousand at once would keep a processor from the lists for 15 to 30 ms. */
export const BATCH = 500;
const PAUSE_MS = 50;
/** Applied deltas after which their space is worth a vacuum. */
const VACUUM_AFTER = 5_000;

/**
 * Applies the pending deltas once a second, so that a reader never has many to add. Every process on
 * a database runs this; the database lets one at a time.
 */
export function startCounterTask(db: Db, log: Logger): BackgroundTask {
  let applied = 0;

  async function run(signal: AbortSignal): Promise<void> {
    let batch: number;
    do {
      batch = await applyDeltas(db, BATCH);
      applied += batch;
      if (batch === BATCH) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } while (batch === BATCH && !signal.aborted);
    if (applied < VACUUM_AFTER || signal.aborted) return;
    applied = 0;
    await vacuumDeltas(db);
  }

  return startBackgroundTask({ name: 'apply counter deltas', intervalMs: INTERVAL_MS, log, run });
}
