import type { UserStatus } from '@meridian/contract/users';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';

export type Refusal =
  | 'unknown'
  | 'revoked'
  | 'already_redeemed'
  | 'expired'
  | 'used_up'
  | 'user_inactive'
  | 'upgrade_prohibited';
export type Redemption = { result: 'redeemed'; assignmentId: string } | { result: Refusal };

type Facts = {
  id: string;
  isRevoked: boolean;
  isExpired: boolean;
  isUsedUp: boolean;
  isRedeemed: boolean;
  userStatus: UserStatus | null;
  isActive: boolean | null;
  isProhibited: boolean | null;
  moment: string;
};

/** Gives a user the plan of a ticket: an assignment of its own, beside those that are there. */
export async function redeemTicket(tx: Db, code: string, userId: string): Promise<Redemption> {
  // Locked in the order plan, ticket, user, as everywhere. A ticket never changes its plan.
  await tx.execute(sql`
    select from plans where id = (select plan_id from tickets where code = ${code}) for key share`);
  await tx.execute(sql`select from tickets where code = ${code} for no key update`);
  await tx.execute(sql`select from users where id = ${userId} for share`);
  // The moment is not the beginning of the transaction: a redemption that waited past the deadline is too late.
  const facts = await tx.maybeOne<Facts>(sql`
    select t.id, t.status = 'REVOKED' as "isRevoked",
      ticket_status(t.status, t.redemption_deadline, moment) = 'EXPIRED' as "isExpired",
      t.redemption_count >= t.max_redemptions as "isUsedUp",
      exists (select from plan_assignments a where a.ticket_id = t.id and a.user_id = ${userId}) as "isRedeemed",
      u.status as "userStatus", u.is_active as "isActive", u.upgrade_prohibited as "isProhibited",
      moment
    from clock_timestamp() as moment, tickets t left join users u on u.id = ${userId}
    where t.code = ${code}`);
  if (facts === null) return { result: 'unknown' };
  const refusal = refusalOf(facts);
  if (refusal !== null) return { result: refusal };
  const assignmentId = uuidV7();
  // Hours, since a day of the session's time zone may have 23 or 25 of them.
  await tx.execute(sql`
    with redeemed as (
      update tickets set redemption_count = redemption_count + 1, status = 'ACTIVE', updated_at = ${facts.moment}
      where id = ${facts.id} returning id, plan_id, valid_days, updated_at as moment)
    insert into plan_assignments (id, user_id, plan_id, ticket_id, activated_at, expires_at, created_at)
    select ${assignmentId}, ${userId}, plan_id, id, moment, moment + make_interval(hours => 24 * valid_days), moment
    from redeemed`);
  // What had no room is claimed again, which decides anew by the plan that is in force then.
  await tx.execute(sql`select release_held_posts(${userId}, '{quota}')`);
  return { result: 'redeemed', assignmentId };
}

function refusalOf(facts: Facts): Refusal | null {
  if (facts.isRevoked) return 'revoked';
  if (facts.isRedeemed) return 'already_redeemed';
  if (facts.isExpired) return 'expired';
  if (facts.isUsedUp) return 'used_up';
  const isOff = facts.userStatus === 'SUSPENDED' || facts.userStatus === 'BLOCKED';
  if (facts.isActive !== true || isOff) return 'user_inactive';
  return facts.isProhibited === true ? 'upgrade_prohibited' : null;
}
