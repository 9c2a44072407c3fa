import type { Database, Db } from '../db/database.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { ConcurrencyLimitOptions } from './concurrency-limit.ts';

/** Each holds a connection while it runs. */
const USUAL = { atOnce: 2, waitMs: 5_000 };

type Limits = Partial<ConcurrencyLimitOptions> & { queue: number };
type Sink<Push> = { readonly push: Push; readonly signal: AbortSignal };

/**
 * Responses that are written from one snapshot. The sink bounds how long a slow client can hold it: no
 * statement runs and no lock is held while it waits, but old row versions are kept.
 */
export function createSnapshotStream(db: Database, limits: Limits) {
  const limit = createConcurrencyLimit({ ...USUAL, ...limits });
  return async function writeFromSnapshot<Push>(
    sink: Sink<Push>,
    write: (tx: Db, push: Push) => Promise<void>,
  ): Promise<void> {
    let isBegun = false;
    await limit.run(async () => {
      sink.signal.throwIfAborted();
      await db.transaction(
        async (tx) => {
          // The client has the first part already: there is no beginning again.
          if (isBegun) throw new Error('A response that was begun cannot be read again');
          isBegun = true;
          await write(tx, sink.push);
        },
        { isolation: 'repeatable read', readOnly: true },
      );
    });
  };
}
