import { POST_STATUSES } from '@meridian/contract/posts';
import { USER_STATUSES } from '@meridian/contract/users';
import type { Logger } from 'pino';
import { startBackgroundTask } from '../background-task.ts';
import type { BackgroundTask } from '../background-task.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

const INTERVAL_MS = 1_000;
/** Two thousand at once would keep a processor from the lists for 15 to 30 ms. */
export const BATCH = 500;
const PAUSE_MS = 50;
const VACUUM_AFTER = 5_000;

/** Every process on a database runs this; the database lets one at a time. */
export function startCounterTask(db: Db, log: Logger): BackgroundTask {
  let applied = 0;

  async function run(signal: AbortSignal): Promise<void> {
    let batch: number;
    do {
      batch = await applyDeltas(db, BATCH);
      applied += batch;
      if (batch === BATCH) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } while (batch === BATCH && !signal.aborted);
    if (applied < VACUUM_AFTER || signal.aborted) return;
    applied = 0;
    // Every reader would have to pass over the space of applied deltas.
    await db.execute(sql`vacuum counter_deltas`);
  }

  return startBackgroundTask({ name: 'apply counter deltas', intervalMs: INTERVAL_MS, log, run });
}

export async function applyDeltas(db: Db, most = 5_000): Promise<number> {
  const { applied } = await db.one<{ applied: number }>(
    sql`select apply_counter_deltas(${most}::integer) as applied`,
  );
  return applied;
}

export async function applyAllDeltas(db: Db): Promise<void> {
  while ((await applyDeltas(db)) > 0);
}

type CounterDifference = {
  what: string;
  status: string;
  user: string | null;
  counted: string;
  present: string;
};

export async function findDifferences(db: Db, limit: number): Promise<CounterDifference[]> {
  return db.many<CounterDifference>(sql`
    select what, status, user_id as "user", counted::text, present::text
    from counter_differences limit ${limit}`);
}

/** Writers of users and posts wait meanwhile. */
export async function recount(db: Db): Promise<void> {
  await db.execute(sql`select recount()`);
}

const STATUSES = { users: USER_STATUSES, posts: POST_STATUSES };

export type Noun = keyof typeof STATUSES;

export function totalsByStatus(noun: Noun): Sql {
  return sql`
    select status, sum(n)::bigint as n
    from (select status, n from status_counters where noun = ${noun}
          union all
          select status, n from pending_counters where noun = ${noun}) as parts
    group by status`;
}

/** Every page of an unfiltered list asks for all statuses, so these are read once without comparing texts. */
export function totalOf(noun: Noun, statuses: readonly string[]): Sql {
  const isAny = STATUSES[noun].every((status: string) => statuses.includes(status));
  const isOf = (status: Sql) =>
    isAny ? sql`(${status} is not null)` : sql`coalesce(${status} = any(${statuses}), false)`;
  const [before, after] = [isOf(sql`old_status`), isOf(sql`new_status`)];
  return sql`(
    coalesce((select sum(n) from status_counters where noun = ${noun} and status = any(${statuses})), 0)
    + coalesce((select sum(case when ${after} then n else -n end)
                from counter_deltas where noun = ${noun} and ${before} <> ${after}), 0))::bigint`;
}

export function postsOfUser(userId: string, statuses: readonly string[]): Sql {
  return sql`(
    coalesce((select posts_in(${statuses}, c) from user_post_counters c
              where user_id = ${userId}), 0)
    + coalesce((select sum(n) from pending_counters
                where user_id = ${userId} and status = any(${statuses})), 0))::bigint`;
}

export function postsBetween(
  userId: Sql,
  from: Sql,
  to: Sql,
  { most = 10_000, except = null }: { most?: number; except?: string | null } = {},
): Sql {
  return sql`(
    select count(*)::integer from (
      select from posts
      where user_id = ${userId} and scheduled_at >= ${from} and scheduled_at < ${to}
        and status not in ('CANCELLED', 'FAILED') and id is distinct from ${except}::uuid
      limit ${most}::integer) as counted)`;
}

export const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
export const monthAfter = (at: Date) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

export const MONTH_ENDS = sql`((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC')`;

export function postsThisMonth(userId: Sql): Sql {
  return postsBetween(userId, sql`date_trunc('month', now(), 'UTC')`, MONTH_ENDS);
}

export function pendingPosts(userId: Sql): Sql {
  return sql`(
    coalesce((select pending from user_post_counters where user_id = ${userId}), 0)
    + coalesce((select sum(n) from pending_counters
                where noun = 'posts' and user_id = ${userId} and status = 'PENDING'), 0))::integer`;
}
