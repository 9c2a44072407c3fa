import type { Database, Db } from '../../db/database.ts';
import { createLimitPerPerson } from '../../http/concurrency-limit.ts';
import { createSnapshotStream } from '../../http/snapshot-stream.ts';
import type { TextSink } from '../../http/text-stream.ts';
import { exportParts, rowsOf } from './export.store.ts';

/** A client that reads slowly holds its slot for minutes; two slots are all there are. */
const PER_PERSON = { atOnce: 1, queue: 1, waitMs: 5_000 };

export function createMemberExport(db: Database) {
  const writeFromSnapshot = createSnapshotStream(db, { queue: 8 });
  const runForPerson = createLimitPerPerson(PER_PERSON);
  return {
    /** Everything about a person from one snapshot; no row is held after it is written. */
    write: (userId: string, sink: TextSink): Promise<void> =>
      runForPerson(userId, () =>
        writeFromSnapshot(sink, (tx, push) => writeParts(tx, userId, push)),
      ),
  };
}

async function writeParts(tx: Db, userId: string, push: TextSink['push']): Promise<void> {
  await push(`{"exportedAt":${JSON.stringify(new Date())}`);
  for (const part of exportParts(userId)) {
    let separator = '';
    await push(`,\n${JSON.stringify(part.name)}:[`);
    for await (const rows of rowsOf(tx, part)) {
      await push(separator + rows.map((row) => JSON.stringify(row)).join(',\n'));
      separator = ',\n';
    }
    await push(']');
  }
}
