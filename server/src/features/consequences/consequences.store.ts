import { USER_STATUSES } from '@meridian/contract/users';
import { postsOfUser, totalOf } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A count stops here: from here on there are many. */
const CEILING = 100_000;

/** Users with the plan, and tickets that still grant it. */
export async function countOfPlan(db: Db, id: string): Promise<{ users: number; tickets: number }> {
  return db.one(sql`
    select (select count(distinct user_id) from plan_assignments
            where plan_id = ${id} and assignment_status(status, expires_at) = 'ACTIVE') as users,
           (select count(*) from tickets
            where plan_id = ${id} and ticket_status(status, redemption_deadline) in ('UNUSED', 'ACTIVE')
              and (max_redemptions is null or redemption_count < max_redemptions)) as tickets`);
}

/** Plans with a price in the currency; null when there is no such currency. */
export async function countOfCurrency(
  db: Db,
  id: string,
): Promise<{ code: string; plans: number; active: number } | null> {
  return db.maybeOne(sql`
    select upper(c.code) as code, count(distinct p.id) as plans,
           count(distinct p.id) filter (where p.is_active) as active
    from currencies c left join plan_prices pp on pp.currency_code = c.code
      left join plans p on p.id = pp.plan_id
    where c.id = ${id} group by c.code`);
}

export async function countPendingPosts(db: Db, userId: string): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`select ${postsOfUser(userId, ['PENDING'])} as n`);
  return n;
}

/** How often a ticket can still be redeemed; null for any number of times, undefined when unknown. */
export async function countRedemptionsLeft(db: Db, id: string): Promise<number | null | undefined> {
  const row = await db.maybeOne<{ n: number | null }>(sql`
    select max_redemptions - redemption_count as n from tickets where id = ${id}`);
  return row === null ? undefined : row.n;
}

export async function countAccess(db: Db): Promise<{ total: number; withKeyword: number }> {
  return db.one(sql`
    select ${totalOf('users', USER_STATUSES)} as total,
           (select count(*) from (select from users where has_access_keyword_access
            limit ${sql.whole(CEILING)}) as found) as "withKeyword"`);
}
