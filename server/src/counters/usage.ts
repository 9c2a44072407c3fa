import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

/** The shown count of a month stops here, so that reading it stays quick. */
const COUNTED_MAX = 10_000;

/** A scalar expression: the user's posts of a time that are neither cancelled nor failed. */
export function postsBetween(
  userId: Sql,
  from: Sql,
  to: Sql,
  { most = COUNTED_MAX, except = null }: { most?: number; except?: string | null } = {},
): Sql {
  return sql`(
    select count(*)::integer from (
      select from posts
      where user_id = ${userId} and scheduled_at >= ${from} and scheduled_at < ${to}
        and status not in ('CANCELLED', 'FAILED') and id is distinct from ${except}::uuid
      limit ${most}::integer) as counted)`;
}

/** The calendar month in UTC, for limits that count by it. */
export const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
export const monthAfter = (at: Date) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

export const MONTH_ENDS = sql`((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC')`;

/** A scalar expression: the user's posts of this month. */
export function postsThisMonth(userId: Sql): Sql {
  return postsBetween(userId, sql`date_trunc('month', now(), 'UTC')`, MONTH_ENDS);
}

/** A scalar expression: the user's posts that wait, by the counters. */
export function pendingPosts(userId: Sql): Sql {
  return sql`(
    coalesce((select pending from user_post_counters where user_id = ${userId}), 0)
    + coalesce((select sum(n) from pending_counters
                where noun = 'posts' and user_id = ${userId} and status = 'PENDING'), 0))::integer`;
}
