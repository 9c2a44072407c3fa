import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Json } from '@meridian/demo/rows';
import type { Cell } from '@meridian/demo/rows';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** About what a socket takes at once; a COPY message for every line would cost more than the line. */
const BATCH_LENGTH = 64 * 1024;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

type Row = Readonly<Record<string, Cell>>;

/** Streams rows into a table as fast as the server takes them. All have the columns of the first. */
export async function copyRows(
  client: pg.ClientBase,
  table: string,
  rows: Iterable<Row>,
  onCopied: (count: number) => void = () => {},
): Promise<void> {
  const iterator = rows[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return;
  const columns = Object.keys(first.value);
  const target = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  const source = Readable.from(batches(), { objectMode: true, highWaterMark: 4 });
  await pipeline(source, target);

  function* batches(): Generator<string> {
    let batch = '';
    let count = 0;
    for (let next = first; next.done !== true; next = iterator.next()) {
      batch += copyLine(columns, next.value);
      count += 1;
      if (batch.length < BATCH_LENGTH) continue;
      yield batch;
      batch = '';
      onCopied(count);
    }
    yield batch;
    onCopied(count);
  }
}

/** One line of COPY's text format. */
function copyLine(columns: readonly string[], row: Row): string {
  let line = '';
  for (const column of columns)
    line += `${line === '' ? '' : '\t'}${copyCell(row[column] ?? null)}`;
  return `${line}\n`;
}

function copyCell(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string') return escaped(cell);
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof Json) return escaped(cell.text);
  return escaped(`{${cell.map((item) => JSON.stringify(item)).join(',')}}`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);
}
