import type { SortOrder } from '@meridian/contract/posts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { totalsByStatus } from './totals.ts';
import type { Axis } from './totals.ts';

/** The place of a row in an order: its sort column as text, exactly, and its id. */
export type RowKey = { value: string; id: string };

/** Where a page begins: right after a row shown before, or else after so many rows. */
export type Place = { after: RowKey | null; offset: number };

/** An order by one column, ties by id, with the names they have in the query. */
export type ListOrder = {
  /** Where its numbers are kept; null for a list narrowed by something they do not know. */
  axis: Axis | null;
  column: Sql;
  id: Sql;
  order: SortOrder;
  /** What the sort column holds. */
  by: 'time' | 'status';
  /** Only rows of these are in the list; in the order of the list when it is sorted by status. */
  statuses: readonly string[];
  /**
   * The one status that all rows have, where an index begins with it. The order then begins with it
   * as well, although it is the same in all: else the planner may take an index without it, and
   * pass over all rows of another status until it has met enough of a rare one.
   */
  one: { column: Sql; status: string } | null;
};

/** Pieces of a query that begins at a place. */
export type PageStart = { prelude: Sql; condition: Sql; offset: Sql };

const ASC = { direction: sql`asc`, from: sql`>=`, after: sql`>` };
const DESC = { direction: sql`desc`, from: sql`<`, after: sql`<` };

/** Up to here the index is walked from its end faster than the place can be looked up. */
const SHALLOW = 1000;

export function orderBy(list: ListOrder): Sql {
  const { column, id } = list;
  const { direction } = wordsOf(list.order);
  const one = leadingStatus(list);
  return one === null
    ? sql`${column} ${direction}, ${id} ${direction}`
    : sql`${one.column} ${direction}, ${column} ${direction}, ${id} ${direction}`;
}

export function isAfter(list: ListOrder, row: RowKey): Sql {
  const { column, id } = list;
  const { after } = wordsOf(list.order);
  const one = leadingStatus(list);
  const value = list.by === 'time' ? sql`${row.value}::timestamptz` : sql`${row.value}`;
  return one === null
    ? sql`(${column}, ${id}) ${after} (${value}, ${row.id}::uuid)`
    : sql`(${one.column}, ${column}, ${id}) ${after} (${one.status}, ${value}, ${row.id}::uuid)`;
}

/** Sorted by status, the order begins with it anyway. */
function leadingStatus({ by, one }: ListOrder): ListOrder['one'] {
  return by === 'status' ? null : one;
}

/**
 * Rows of the one status, where there is one. A range, because of a status that equals another the
 * planner knows that it orders nothing.
 */
export function isOfStatus({ one }: Pick<ListOrder, 'one'>): Sql {
  return one === null ? sql`true` : sql`${one.column} between ${one.status} and ${one.status}`;
}

/** What a page at any depth costs is what it shows: its hour is found from the counts. */
export function pageStart(list: ListOrder, { after, offset }: Place): PageStart {
  if (after !== null) {
    return { prelude: sql.empty, condition: isAfter(list, after), offset: sql.empty };
  }
  if (offset === 0) return { prelude: sql.empty, condition: sql`true`, offset: sql.empty };
  if (offset <= SHALLOW || list.axis === null) {
    return { prelude: sql.empty, condition: sql`true`, offset: sql`offset ${offset}` };
  }
  const find = list.by === 'time' ? startInTime : startInStatus;
  return find(list, list.axis, offset);
}

const SKIP_REMAINING = sql`offset (select remaining from place)`;

function startInTime(list: ListOrder, axis: Axis, offset: number): PageStart {
  const { from, bound } = edgeOf(list);
  const edge = sql`(select start_of_hour(${bound}) from place)`;
  return {
    prelude: sql`with place as materialized (
      select hour, remaining
      from find_hour(${axis}, ${list.statuses}, ${list.order === 'desc'}, ${offset}))`,
    condition:
      list.one === null
        ? sql`${list.column} ${from} ${edge}`
        : sql`(${list.one.column}, ${list.column}) ${from} (${list.one.status}, ${edge})`,
    offset: SKIP_REMAINING,
  };
}

/** Sorted by status, a list is one list by id after the other. */
function startInStatus(list: ListOrder, axis: Axis, offset: number): PageStart {
  const { from, bound } = edgeOf(list);
  return {
    prelude: sql`with totals as (${totalsByStatus(axis)}),
      begun as (
        select status, n, sum(n) over (order by position) - n as before
        from unnest(${list.statuses}::text[]) with ordinality as listed (status, position)
        join totals using (status)),
      place as materialized (
        select begun.status, found.hour, found.remaining
        from begun, find_hour(${axis}, array[begun.status], ${list.order === 'desc'},
                              (${offset} - begun.before)::bigint) as found
        where ${offset}::bigint between begun.before and begun.before + begun.n - 1)`,
    condition: sql`(${list.column}, ${list.id}) ${from}
      ((select status from place), (select first_id_of_hour(${bound}) from place))`,
    offset: SKIP_REMAINING,
  };
}

/** Upwards the hour begins at its start, downwards at the start of the next. */
function edgeOf({ order }: ListOrder): { from: Sql; bound: Sql } {
  return { from: wordsOf(order).from, bound: order === 'asc' ? sql`hour` : sql`hour + 1` };
}

function wordsOf(order: SortOrder) {
  return order === 'asc' ? ASC : DESC;
}
