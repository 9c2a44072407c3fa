import type { SortOrder } from '@meridian/contract/posts';
import { parseExactTimestamp } from './columns.ts';
import type { Db } from './database.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** A cursor that fits wins over the offset. */
export type PageRequest = { limit: number; offset: number; cursor?: string | undefined };

export type Page<Row> = {
  rows: Row[];
  total: number;
  cursors: { next: string | null; previous: string | null };
};

export type PageQuery = {
  keyset: Keyset;
  ctes?: Sql;
  total: Sql;
  table: Sql;
  condition: Sql;
  source?: Sql;
  columns: Sql;
  joins?: Sql;
};

export function pageStart(keyset: Keyset, { cursor, offset }: PageRequest) {
  const from = cursor === undefined ? null : decodeCursor(cursor, keyset);
  const isBackwards = from?.side === 'previous';
  const walked = isBackwards ? reversed(keyset) : keyset;
  return {
    walked,
    isBackwards,
    isFirst: from === null && offset === 0,
    condition: from === null ? sql`true` : isAfter(walked, from.values),
    skipped: from === null ? offset : 0,
  };
}

/** The page and its total are one statement, so they come from one snapshot. */
export async function readPage<Row extends { id: string }>(
  db: Db,
  query: PageQuery,
  request: PageRequest,
): Promise<Page<Row>> {
  const { limit } = request;
  const start = pageStart(query.keyset, request);
  const found = await db.many<Keyed<Row> & { total: number }>(pageStatement(query, start, limit));
  const total = found[0]?.total ?? (start.isFirst ? 0 : await readTotal(db, query));
  return { total, ...withCursors(found, start, limit) };
}

export type Keyed<Row> = Row & { sort_keys: string };

/** `found` has one row more than the page when another page follows. */
export function withCursors<Row>(
  found: readonly Keyed<Row>[],
  { walked, isBackwards, isFirst }: ReturnType<typeof pageStart>,
  limit: number,
): Pick<Page<Row>, 'rows' | 'cursors'> {
  const hasMore = found.length > limit;
  const rows = found.slice(0, limit);
  if (isBackwards) rows.reverse();
  const beside = (side: Cursor['side'], row: Keyed<Row> | undefined) =>
    row === undefined
      ? null
      : encodeCursor({ side, values: readSortKeys(row.sort_keys, walked) }, walked);
  return {
    rows,
    cursors: {
      next: hasMore || isBackwards ? beside('next', rows.at(-1)) : null,
      previous: (isBackwards ? hasMore : !isFirst) ? beside('previous', rows[0]) : null,
    },
  };
}

/** Passed-over rows are read from an index alone, and only those of the page are fetched whole. */
function pageStatement(
  { ctes = sql.empty, joins = sql.empty, ...query }: PageQuery,
  { walked, condition: isWithin, skipped }: ReturnType<typeof pageStart>,
  limit: number,
): Sql {
  const { keyset, total, table, source, condition, columns } = query;
  const keys = selectKeys(keyset);
  const isDirect = source === undefined && skipped === 0;
  const page = sql`
    (select ${isDirect ? sql`*, ${keys}` : keys} from ${source ?? table}
     where ${condition} and ${isWithin}
     order by ${orderBy(walked)} limit ${sql.whole(limit + 1)}
     ${skipped === 0 ? sql.empty : sql`offset ${skipped}`})`;
  const rows = isDirect
    ? sql`${page} as t`
    : sql`${page} as page join ${table} as t on t.id = ${idOf(keyset)}`;
  return sql`
    ${ctes} select ${total} as total, ${columns}, ${sortKeys(keyset)} as sort_keys
    from ${rows} ${joins} order by ${orderByKeys(walked)}`;
}

async function readTotal(db: Db, { ctes = sql.empty, total }: PageQuery): Promise<number> {
  return (await db.one<{ total: number }>(sql`${ctes} select ${total} as total`)).total;
}

/** All keys sort in one direction; the last is the id, which breaks ties. */
export type Keyset = {
  keys: readonly SortKey[];
  order: SortOrder;
  /** The first column of the index has one value in the whole list. */
  lead?: { column: Sql; value: string };
};
export type SortKey = { column: Sql; type: 'text' | 'time' | 'id' | 'number' };

const CASTS = {
  text: sql`::text`,
  time: sql`::timestamptz`,
  id: sql`::uuid`,
  number: sql`::bigint`,
};

export function orderBy(keyset: Keyset): Sql {
  return directed(indexedColumns(keyset), keyset.order);
}

export function indexedColumns({ keys, lead }: Keyset): Sql[] {
  const columns = keys.map(({ column }) => column);
  return lead === undefined ? columns : [lead.column, ...columns];
}

export function orderByKeys({ keys, order }: Keyset): Sql {
  return directed(
    keys.map((_, index) => nameOf(index)),
    order,
  );
}

function directed(columns: readonly Sql[], order: SortOrder): Sql {
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  return sql.join(columns.map((column) => sql`${column} ${direction}`));
}

export function selectKeys({ keys }: Keyset): Sql {
  return sql.join(keys.map(({ column }, index) => sql`${column} as ${nameOf(index)}`));
}

export function idOf({ keys }: Keyset): Sql {
  return nameOf(keys.length - 1);
}

export function sortKeys({ keys }: Keyset): Sql {
  const texts = keys.map((_, index) => sql`${nameOf(index)}::text`);
  return sql.join(texts, sql` || '|' || `);
}

export function readSortKeys(text: string, { keys }: Keyset): string[] {
  const texts = text.split('|');
  return keys.map(({ type }, index) => {
    const key = texts[index] ?? '';
    return type === 'time' ? parseExactTimestamp(key) : key;
  });
}

export function isAfter(keyset: Keyset, values: readonly string[]): Sql {
  const { keys, order, lead } = keyset;
  const compared = keys.map(({ type }, index) => sql`${values[index] ?? ''}${CASTS[type]}`);
  if (lead !== undefined) compared.unshift(sql`${lead.value}`);
  const columns = sql.join(indexedColumns(keyset));
  return sql`(${columns}) ${order === 'asc' ? sql`>` : sql`<`} (${sql.join(compared)})`;
}

function reversed(keyset: Keyset): Keyset {
  return { ...keyset, order: keyset.order === 'asc' ? 'desc' : 'asc' };
}

/** Joined tables may have columns of the same name as the sort keys. */
function nameOf(index: number): Sql {
  return sql`key_${sql.whole(index + 1)}`;
}

type Cursor = { side: 'next' | 'previous'; values: readonly string[] };

/** Values are plain and not base64, so that they stay as they are in an address and spell no word by chance. */
type Form = { write: (value: string) => string; read: (text: string) => string | null };

const FORMS: Record<SortKey['type'], Form> = {
  text: { write: (value) => value, read: (text) => (/^[A-Z_]{1,64}$/u.test(text) ? text : null) },
  time: { write: (value) => value.replaceAll(/\D/gu, ''), read: readTime },
  id: { write: (value) => value.replaceAll('-', ''), read: readId },
  number: { write: (value) => value, read: (text) => (/^\d{1,18}$/u.test(text) ? text : null) },
};

function readTime(text: string): string | null {
  const iso = text.replace(
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{6})$/u,
    '$1-$2-$3T$4:$5:$6.$7Z',
  );
  const time = new Date(iso);
  // Date reads a day that the calendar lacks as another one.
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso.slice(0, 19));
  return iso !== text && isReal ? iso : null;
}

function readId(text: string): string | null {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u.exec(text);
  return parts?.slice(1).join('-') ?? null;
}

export function encodeCursor({ side, values }: Cursor, { keys }: Keyset): string {
  const texts = keys.map(({ type }, index) => FORMS[type].write(values[index] ?? ''));
  return [side, ...texts].join('.');
}

/** The result is null for a cursor of another sort or an older format. */
export function decodeCursor(cursor: string, { keys }: Keyset): Cursor | null {
  const [side, ...texts] = cursor.split('.');
  if (texts.length !== keys.length || (side !== 'next' && side !== 'previous')) return null;
  const values: string[] = [];
  for (const [index, { type }] of keys.entries()) {
    const value = FORMS[type].read(texts[index] ?? '');
    if (value === null) return null;
    values.push(value);
  }
  return { side, values };
}
