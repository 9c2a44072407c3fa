import type { SortOrder } from '@meridian/contract/posts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { parseExactTimestamp } from '../db/types.ts';

/** The columns a list is sorted by, all in one direction; the last is the id, which breaks ties. */
export type Keyset = {
  keys: readonly SortKey[];
  order: SortOrder;
  /** A column with one value in the whole list, in front of the keys: the index begins with it. */
  lead?: { column: Sql; value: string };
};
export type SortKey = { column: Sql; type: 'text' | 'time' | 'id' | 'number' };

const CASTS = {
  text: sql`::text`,
  time: sql`::timestamptz`,
  id: sql`::uuid`,
  number: sql`::bigint`,
};
/** What the sort keys are called in a page: other tables joined to it have columns of the same name. */
const NAMES = [sql`key_1`, sql`key_2`, sql`key_3`];

export function orderBy(keyset: Keyset): Sql {
  return directed(indexedColumns(keyset), keyset.order);
}

/** What is compared and sorted by: the columns of an index. */
export function indexedColumns({ keys, lead }: Keyset): Sql[] {
  const columns = keys.map(({ column }) => column);
  return lead === undefined ? columns : [lead.column, ...columns];
}

export function orderByKeys({ keys, order }: Keyset): Sql {
  return directed(NAMES.slice(0, keys.length), order);
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

/**
 * The sort keys of a page's row in one text, as PostgreSQL writes them: of all rows of a page only the
 * first and the last one's are read.
 */
export function sortKeys({ keys }: Keyset): Sql {
  const texts = keys.map((_, index) => sql`${nameOf(index)}::text`);
  return sql.join(texts, sql` || '|' || `);
}

/** The same as the values of a cursor, times exact to the microsecond. */
export function readSortKeys(text: string, { keys }: Keyset): string[] {
  const texts = text.split('|');
  return keys.map(({ type }, index) => {
    const key = texts[index] ?? '';
    return type === 'time' ? parseExactTimestamp(key) : key;
  });
}

/** Rows behind these values, in the order of the list. */
export function isAfter(keyset: Keyset, values: readonly string[]): Sql {
  const { keys, order, lead } = keyset;
  const compared = keys.map(({ type }, index) => sql`${values[index] ?? ''}${CASTS[type]}`);
  if (lead !== undefined) compared.unshift(sql`${lead.value}`);
  const columns = sql.join(indexedColumns(keyset));
  return sql`(${columns}) ${order === 'asc' ? sql`>` : sql`<`} (${sql.join(compared)})`;
}

export function reversed(keyset: Keyset): Keyset {
  return { ...keyset, order: keyset.order === 'asc' ? 'desc' : 'asc' };
}

function nameOf(index: number): Sql {
  const name = NAMES[index];
  if (name === undefined) throw new Error('A list has at most three sort keys');
  return name;
}
