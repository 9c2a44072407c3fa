import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

/** An order of a list along which the database keeps its numbers. */
export type Axis = 'posts.scheduled' | 'posts.created' | 'posts.id' | 'users.created';

const WIDEST = sql`24576`;

/** By status: what was added up, and what is still to be added, in one snapshot. */
export function totalsByStatus(axis: Axis): Sql {
  return sql`
    select status, sum(n)::bigint as n
    from (select status, n from counts where axis = ${axis} and width = ${WIDEST}
          union all
          select status, n from ${pendingOf(axis)}) as parts
    group by status`;
}

/** Of these statuses together. */
export function totalOf(axis: Axis, statuses: readonly string[]): Sql {
  return sql`(
    select coalesce(sum(n), 0)::bigint
    from (select n from counts
          where axis = ${axis} and width = ${WIDEST} and status = any(${statuses})
          union all
          select n from ${pendingOf(axis)} where status = any(${statuses})) as parts)`;
}

/** What is still to be added is the same along every axis of a table. */
function pendingOf(axis: Axis): Sql {
  return axis === 'users.created' ? sql`user_deltas` : sql`post_deltas`;
}
