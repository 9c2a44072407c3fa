import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import {
  idOf,
  isAfter,
  orderBy,
  orderByKeys,
  readSortKeys,
  reversed,
  selectKeys,
  sortKeys,
} from './keyset.ts';
import type { Keyset } from './keyset.ts';

/** Which page a client asks for. A cursor that fits wins over the offset. */
export type PageRequest = { limit: number; offset: number; cursor?: string | undefined };

export type Page<Row> = {
  rows: Row[];
  total: number;
  /** For the neighbouring pages; null where there is none. */
  cursors: { next: string | null; previous: string | null };
};

export type PageQuery = {
  keyset: Keyset;
  /** What the rest refers to: `with ...`. */
  ctes?: Sql;
  /** A scalar expression. */
  total: Sql;
  table: Sql;
  condition: Sql;
  /** Where to read ids and sort keys from, when not from the table itself. */
  source?: Sql;
  /** What is shown of the table's row `t`, `id` among it, and what else it comes from: `join ...`. */
  columns: Sql;
  joins?: Sql;
};

export type PageStart = ReturnType<typeof pageStart>;

export function pageStart(keyset: Keyset, { cursor, offset }: PageRequest) {
  const from = cursor === undefined ? null : decodeCursor(cursor, keyset);
  const isBackwards = from?.side === 'previous';
  const walked = isBackwards ? reversed(keyset) : keyset;
  return {
    /** The order in which the rows are read. */
    walked,
    isBackwards,
    isFirst: from === null && offset === 0,
    condition: from === null ? sql`true` : isAfter(walked, from.values),
    skipped: from === null ? offset : 0,
  };
}

/** A page and its total in one statement, from one snapshot. */
export async function readPage<Row extends { id: string }>(
  db: Db,
  query: PageQuery,
  request: PageRequest,
): Promise<Page<Row>> {
  const start = pageStart(query.keyset, request);
  const found = await db.many<Keyed<Row> & { total: number }>(
    pageStatement(query, start, request.limit),
  );
  const total = found[0]?.total ?? (start.isFirst ? 0 : await readTotal(db, query));
  return { total, ...withCursors(found, start, request.limit) };
}

export type Keyed<Row> = Row & { sort_keys: string };

/** From one row more than the page holds, which says whether another page follows. */
export function withCursors<Row>(
  found: readonly Keyed<Row>[],
  { walked, isBackwards, isFirst }: PageStart,
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

/**
 * Rows that are passed over are read from an index alone, and only those of the page are fetched
 * whole; where none is passed over, the second lookup is spared.
 */
function pageStatement(
  {
    ctes = sql.empty,
    keyset,
    total,
    table,
    source,
    condition,
    columns,
    joins = sql.empty,
  }: PageQuery,
  { walked, condition: isWithin, skipped }: PageStart,
  limit: number,
): Sql {
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
