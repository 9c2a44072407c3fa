import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { applyDeltas, vacuumDeltas } from './counters.store.ts';

const PAUSE_MS = 1_000;
/** Applied deltas after which their space is worth a vacuum. */
const VACUUM_AFTER = 5_000;

export type CounterTask = { stop(): Promise<void> };

/**
 * Applies the pending deltas once a second, so that a reader never has many to add. Every process on
 * a database runs this; the database lets one at a time.
 */
export function startCounterTask(db: Db, log: Logger): CounterTask {
  const stopping = new AbortController();
  let isFailing = false;
  let applied = 0;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  async function applyAll(): Promise<void> {
    let batch: number;
    do {
      batch = await applyDeltas(db);
      applied += batch;
    } while (batch > 0 && !stopping.signal.aborted);
    if (applied < VACUUM_AFTER || stopping.signal.aborted) return;
    applied = 0;
    await vacuumDeltas(db);
  }

  async function run(): Promise<void> {
    try {
      await applyAll();
      isFailing = false;
    } catch (error) {
      // Once, not every second, while the database is away; no delta is lost meanwhile.
      if (!isFailing) log.warn({ err: error }, 'Counter deltas could not be applied; retrying');
      isFailing = true;
    }
    schedule();
  }

  function schedule(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      current = run();
    }, PAUSE_MS).unref();
  }

  schedule();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await current;
    },
  };
}
