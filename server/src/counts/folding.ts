import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { cleanUpNotes, foldCounts } from './counts.store.ts';

const PAUSE_MS = 1_000;
/** Notes done away with until their place is worth cleaning up. */
const CLEAN_UP_AFTER = 5_000;

export type Folding = { stop(): Promise<void> };

/**
 * Adds up the noted changes once a second, so that a reader never has many to add by itself.
 * Every process on a database does this; the database lets one at a time.
 */
export function startFolding(db: Db, log: Logger): Folding {
  const stopping = new AbortController();
  let isFailing = false;
  let notes = 0;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  async function fold(): Promise<void> {
    let folded: number;
    do {
      folded = await foldCounts(db);
      notes += folded;
    } while (folded > 0 && !stopping.signal.aborted);
    if (notes < CLEAN_UP_AFTER || stopping.signal.aborted) return;
    notes = 0;
    await cleanUpNotes(db);
  }

  async function run(): Promise<void> {
    try {
      await fold();
      isFailing = false;
    } catch (error) {
      // Once, not every second, while the database is away; nothing is lost meanwhile.
      if (!isFailing) log.warn({ err: error }, 'Changes could not be added up; trying again');
      isFailing = true;
    }
    plan();
  }

  function plan(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      current = run();
    }, PAUSE_MS).unref();
  }

  plan();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await current;
    },
  };
}
