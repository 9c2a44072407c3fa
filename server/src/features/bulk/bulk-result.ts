import type { Database } from '../../db/database.ts';
import { NIL } from './bulk-batch.store.ts';
import { listResults } from './bulk.store.ts';

const BATCH = 5_000;

/** What happened to each row, as CSV: a batch in memory at a time, no transaction around them. */
export async function* resultLines(db: Database, id: string): AsyncGenerator<string> {
  // The mark tells spreadsheets that it is UTF-8.
  yield '\uFEFFid,result,message\r\n';
  for (let after = NIL; ;) {
    const rows = await listResults(db, id, after, BATCH);
    yield rows.map((row) => lineOf([row.id, row.result ?? 'open', row.message ?? ''])).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

/** The messages are our own sentences: none begins like a formula. */
function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}
