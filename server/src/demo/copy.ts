import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Json } from './rows.ts';
import type { Cell } from './rows.ts';

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line of COPY's text format. */
export function copyLine(cells: readonly Cell[]): string {
  let line = '';
  for (const [index, cell] of cells.entries()) line += (index === 0 ? '' : '\t') + copyCell(cell);
  return `${line}\n`;
}

export function copyCell(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string') return escaped(cell);
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof Json) return escaped(JSON.stringify(cell.value));
  return escaped(`{${cell.map((item) => JSON.stringify(item)).join(',')}}`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);
}

/** Streams lines into a table; reads on only as fast as the server takes them. */
export async function copyLines(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const target = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(lines, { objectMode: true, highWaterMark: 4 }), target);
}

/** All rows have the columns of the first. */
export async function copyRows(
  client: pg.ClientBase,
  table: string,
  rows: readonly Readonly<Record<string, Cell>>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const lines = rows.map((row) => copyLine(columns.map((column) => row[column] ?? null)));
  await copyLines(client, table, columns, [lines.join('')]);
}
