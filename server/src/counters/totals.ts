import { POST_STATUSES } from '@meridian/contract/posts';
import { USER_STATUSES } from '@meridian/contract/users';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

export type Noun = 'users' | 'posts';

const STATUSES: Record<Noun, readonly string[]> = { users: USER_STATUSES, posts: POST_STATUSES };

/** By status: the counters and the deltas still pending, in one snapshot. */
export function totalsByStatus(noun: Noun): Sql {
  return sql`
    select status, sum(n)::bigint as n
    from (select status, n from status_counters where noun = ${noun}
          union all
          select status, n from pending_counters where noun = ${noun}) as parts
    group by status`;
}

/**
 * A scalar expression: rows in any of these statuses. Of the deltas, one pass that compares no texts where
 * all statuses are asked for: every page of an unfiltered list has a total, and many deltas come with a
 * bulk change.
 */
export function totalOf(noun: Noun, statuses: readonly string[]): Sql {
  const isAny = STATUSES[noun].every((status) => statuses.includes(status));
  const isOf = (status: Sql) =>
    isAny ? sql`(${status} is not null)` : sql`coalesce(${status} = any(${statuses}), false)`;
  const [before, after] = [isOf(sql`old_status`), isOf(sql`new_status`)];
  return sql`(
    coalesce((select sum(n) from status_counters where noun = ${noun} and status = any(${statuses})), 0)
    + coalesce((select sum(case when ${after} then n else -n end)
                from counter_deltas where noun = ${noun} and ${before} <> ${after}), 0))::bigint`;
}

/** A scalar expression: one user's posts in any of these statuses. */
export function postsOfUser(userId: string, statuses: readonly string[]): Sql {
  return sql`(
    coalesce((select posts_in(${statuses}, c) from user_post_counters c
              where user_id = ${userId}), 0)
    + coalesce((select sum(n) from pending_counters
                where user_id = ${userId} and status = any(${statuses})), 0))::bigint`;
}
