import {
  EXPORT_TYPES,
  currencyExport,
  exportFileName,
  planExport,
  postExport,
  ticketExport,
  userExport,
} from '@meridian/contract/exports';
import type { ExportFormat, ExportNoun } from '@meridian/contract/exports';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { nameInSql } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { register } from '../../http/register.ts';
import { createSnapshotStream, streamText } from '../../http/stream.ts';
import type { StreamLimits, TextSink, TextStream } from '../../http/stream.ts';
import type { ExportSource } from '../noun.ts';
import { NOUNS } from '../nouns.ts';

const LIMITS: StreamLimits = {
  bufferBytes: 64 * 1024,
  // This is shorter than the database's idle_in_transaction_session_timeout.
  stallMs: 5_000,
  totalMs: 10 * 60_000,
};

export function exportsRoutes(
  app: FastifyInstance,
  { exports }: { exports: ReturnType<typeof createExportsService> },
): void {
  async function send(reply: FastifyReply, wanted: Export): Promise<TextStream> {
    const { noun, format } = wanted;
    const limits = { ...LIMITS, type: EXPORT_TYPES[format] };
    const stream = await streamText(reply, limits, async (sink) => {
      await exports.write(wanted, sink);
      return '';
    });
    const name = exportFileName(noun, format, new Date());
    reply.header('content-disposition', `attachment; filename="${name}"`);
    return stream;
  }

  register(app, postExport, ({ query: { format, ...filter }, reply }) =>
    send(reply, { noun: 'posts', format, source: NOUNS.post.file(filter) }),
  );
  register(app, userExport, ({ query: { format, ...filter }, reply }) =>
    send(reply, { noun: 'users', format, source: NOUNS.user.file(filter) }),
  );
  register(app, ticketExport, ({ query: { format, ...filter }, reply }) =>
    send(reply, { noun: 'tickets', format, source: NOUNS.ticket.file(filter) }),
  );
  register(app, planExport, ({ query: { format }, reply }) =>
    send(reply, { noun: 'plans', format, source: NOUNS.plan.file() }),
  );
  register(app, currencyExport, ({ query: { format }, reply }) =>
    send(reply, { noun: 'currencies', format, source: NOUNS.currency.file() }),
  );
}

/** V8 sets aside the less memory for new objects, the less is in use at a time. */
const BATCH = sql.whole(100);

/** Spreadsheets run a cell that begins with one of these as a formula; the last four are full width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const QUOTED = /[",\r\n']|^\s|\s$/u;

const BYTE_ORDER_MARK = '\uFEFF';

type Export = { noun: ExportNoun; format: ExportFormat; source: ExportSource };

export function createExportsService(db: Database) {
  const writeFromSnapshot = createSnapshotStream(db, { queue: 2 });
  return {
    write: (wanted: Export, sink: TextSink): Promise<void> =>
      writeFromSnapshot(sink, (tx, push) => writeRows(tx, wanted, push)),
  };
}

async function writeRows(tx: Db, wanted: Export, push: TextSink['push']): Promise<void> {
  const { noun, format, source } = wanted;
  const isCsv = format === 'csv';
  // A prepared FETCH belongs to the columns of its cursor, so each list has one of its own.
  const cursor = nameInSql(`exported_${noun}`);
  const select = await source(tx);
  await tx.execute(sql`declare ${cursor} no scroll cursor for ${select}`);
  let head = isCsv ? BYTE_ORDER_MARK : '';
  for (let isFirst = true; ; isFirst = false) {
    const rows = await tx.many<Readonly<Record<string, unknown>>>(
      sql`fetch ${BATCH} from ${cursor}`,
    );
    const [row] = rows;
    if (row === undefined && !isFirst) return;
    if (isFirst && isCsv) head += csvLine(Object.keys(row ?? (await emptyRowOf(tx, select))));
    const text = head + textOf(rows, isCsv);
    // The driver's query outlives its use until all memory is collected, and holds this array.
    rows.length = 0;
    await push(text);
    head = '';
  }
}

async function emptyRowOf(tx: Db, select: Sql): Promise<Readonly<Record<string, unknown>>> {
  return tx.one(sql`select row_of.* from (select) as one left join (${select}) as row_of on false`);
}

function textOf(rows: readonly Readonly<Record<string, unknown>>[], isCsv: boolean): string {
  let text = '';
  for (const row of rows) text += isCsv ? csvLine(Object.values(row)) : `${JSON.stringify(row)}\n`;
  return text;
}

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
