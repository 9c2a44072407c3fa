import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { orderBy, pageStart } from './page-start.ts';
import type { ListOrder, Place, RowKey } from './page-start.ts';

export type CountedPage<Row> = {
  rows: Row[];
  total: number;
  /** The last row's place; null when the page is not full, as then nothing follows. */
  last: RowKey | null;
};

export type PageQuery = {
  list: ListOrder;
  place: Place;
  limit: number;
  /** A scalar expression. */
  total: Sql;
  /** What is listed, and by what name the columns call it. */
  table: Sql;
  alias: Sql;
  /** Where to look for the rows when not in the table: something that has at least their ids. */
  found?: Sql;
  condition: Sql;
  /** What the answer shows, `id` among it, and what else that comes from: `join ...`. */
  columns: Sql;
  joins?: Sql;
};

/** A page and its total in one round trip, from one snapshot. */
export async function countedPage<Row extends { id: string }>(
  db: Db,
  query: PageQuery,
): Promise<CountedPage<Row>> {
  const { limit, place } = query;
  const found = await db.many<Row & { total: number; key: string }>(pageStatement(query));
  const last = found.length === limit ? found.at(-1) : undefined;
  return {
    rows: found,
    total: found[0]?.total ?? (await totalWithoutRows(db, query.total, place)),
    last: last === undefined ? null : { value: last.key, id: last.id },
  };
}

function pageStatement({ list, place, limit, ...query }: PageQuery): Sql {
  const { table, alias, found, columns, joins = sql.empty } = query;
  const start = pageStart(list, place);
  const page = (wanted: Sql) => sql`
    (select ${wanted} from ${found ?? table} where ${query.condition} and ${start.condition}
     order by ${orderBy(list)} limit ${sql.whole(limit)} ${start.offset})`;
  const shown = sql`${start.prelude}
    select ${query.total} as total, ${columns}, ${alias}.${list.column}::text as key`;
  if (found === undefined && start.offset === sql.empty) {
    const order = orderBy({
      ...list,
      column: sql`${alias}.${list.column}`,
      id: sql`${alias}.${list.id}`,
      one: list.one && { ...list.one, column: sql`${alias}.${list.one.column}` },
    });
    return sql`${shown} from ${page(sql`*`)} as ${alias} ${joins} order by ${order}`;
  }
  // Rows are passed over on the index alone; only those of the page are fetched whole.
  const order = orderBy({ ...list, column: sql`page_key`, id: sql`page_id`, one: null });
  return sql`${shown}
    from ${page(sql`${list.id} as page_id, ${list.column} as page_key`)} as page
    join ${table} as ${alias} on ${alias}.id = page_id ${joins}
    order by ${order}`;
}

/** The total comes with the rows. A first page without any says what it is. */
async function totalWithoutRows(db: Db, total: Sql, { after, offset }: Place): Promise<number> {
  if (after === null && offset === 0) return 0;
  return (await db.one<{ total: number }>(sql`select ${total} as total`)).total;
}
