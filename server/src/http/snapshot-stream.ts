import type { Database, Db } from '../db/database.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { TextSink } from './text-stream.ts';

type Write = (tx: Db, push: TextSink['push']) => Promise<void>;

/** Files that are written from one snapshot. Each holds a connection while it runs, so two run at once. */
export function createSnapshotStream(db: Database, { queue }: { queue: number }) {
  const limit = createConcurrencyLimit({ atOnce: 2, queue, waitMs: 5_000 });
  return async function writeFromSnapshot(sink: TextSink, write: Write): Promise<void> {
    let isBegun = false;
    await limit.run(async () => {
      sink.signal.throwIfAborted();
      await db.transaction(
        async (tx) => {
          // The client has the first part already: there is no beginning again.
          if (isBegun) throw new Error('An export that was begun cannot be read again');
          isBegun = true;
          await write(tx, sink.push);
        },
        { isolation: 'repeatable read', readOnly: true },
      );
    });
  };
}
