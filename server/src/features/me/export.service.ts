import type { Database, Db } from '../../db/database.ts';
import { createSnapshotStream } from '../../http/snapshot-stream.ts';
import type { TextSink } from '../../http/text-stream.ts';
import { exportParts, rowsOf } from './export.store.ts';

export function createMemberExport(db: Database) {
  const writeFromSnapshot = createSnapshotStream(db, { queue: 8 });
  return {
    /** Everything about a person from one snapshot; no row is held after it is written. */
    write: (userId: string, sink: TextSink): Promise<void> =>
      writeFromSnapshot(sink, (tx, push) => writeParts(tx, userId, push)),
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
