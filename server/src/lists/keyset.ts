import type { SortOrder } from '@meridian/contract/posts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

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

/** The sort keys of a page's row as texts, times exact to the microsecond. */
export function cursorValues({ keys }: Keyset): Sql {
  const texts = keys.map(({ type }, index) =>
    type === 'time'
      ? sql`to_char(${nameOf(index)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : sql`${nameOf(index)}::text`,
  );
  return sql`array[${sql.join(texts)}]`;
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
