import type { PlanLimits } from '@meridian/contract/plan-limits';
import type { Verdict, VerdictFacts } from '@meridian/contract/verdict';
import { pendingPosts, postsThisMonth } from '../../counters/usage.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type VerdictRow = Omit<VerdictFacts, 'limits' | 'usage' | 'account'> & {
  accountState: VerdictFacts['account'];
  host: string | null;
  accountSince: string | null;
  monthlyPosts: number;
  pendingPosts: number;
  source: Omit<NonNullable<Verdict['source']>, 'expiresAt'> | null;
  expiresAt: string | null;
  planLimits: PlanLimits | null;
  overrides: PlanLimits | null;
};

/** One statement, so that all of it is of one moment. */
export async function findVerdictFacts(db: Db, userId: string): Promise<VerdictRow | null> {
  return db.maybeOne<VerdictRow>(sql`
    select u.status, u.is_active as "isActive", u.has_access_keyword_access as "hasKeyword",
      s.is_closed_beta as "isClosedBeta", s.is_service_suspended as "isSuspended",
      coalesce(u.created_at >= s.closed_beta_at, s.is_closed_beta) as "isNewcomer",
      coalesce(a.state, 'NONE') as "accountState", a.host, a.state_since as "accountSince",
      ${postsThisMonth(sql`u.id`)} as "monthlyPosts", ${pendingPosts(sql`u.id`)} as "pendingPosts",
      case when p.id is not null then json_build_object(
        'plan', p.name, 'tier', p.tier, 'assignmentId', e.assignment_id, 'ticketCode', t.code
      ) end as source, pa.expires_at as "expiresAt",
      p.limits as "planLimits", t.limits_override as overrides
    from users u cross join service_settings s
      left join accounts a on a.user_id = u.id
      left join effective_plan(${userId}) e on true
      left join plans p on p.id = e.plan_id
      left join plan_assignments pa on pa.id = e.assignment_id
      left join tickets t on t.id = e.ticket_id
    where u.id = ${userId}`);
}
