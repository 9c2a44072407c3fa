import type { AccountState, VerdictFacts } from '@meridian/contract/verdict';
import type { PlanLimits } from '@meridian/contract/plan-limits';
import { MONTH_ENDS, pendingPosts, postsThisMonth } from '../../counters/usage.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type MeRow = Omit<VerdictFacts, 'limits' | 'usage' | 'account'> & {
  id: string;
  did: string;
  handle: string;
  displayName: string | null;
  avatar: string | null;
  state: AccountState;
  host: string | null;
  since: string | null;
  /** As people know it: `name` is for administrators. */
  plan: string | null;
  tier: string | null;
  expiresAt: string | null;
  limits: PlanLimits | null;
  postsThisMonth: number;
  monthEndsAt: string;
  pendingPosts: number;
  storageBytes: number;
  /** Of a suspension, for people. */
  notice: string | null;
  now: string;
};

/** One statement, so that all of it is of one moment. Without an account, one has to be connected. */
export async function findMe(db: Db, userId: string): Promise<MeRow | null> {
  return db.maybeOne<MeRow>(sql`
    select u.id, u.did, u.handle, u.display_name as "displayName", u.avatar, u.status,
      u.is_active as "isActive", u.has_access_keyword_access as "hasKeyword",
      s.is_closed_beta as "isClosedBeta", s.is_service_suspended as "isSuspended",
      coalesce(u.created_at >= s.closed_beta_at, s.is_closed_beta) as "isNewcomer",
      coalesce(a.state, 'RECONNECT') as state, a.host, a.state_since as since,
      p.display_name ->> 'en' as plan, p.tier, pa.expires_at as "expiresAt",
      effective_limits(u.id) as limits, ${postsThisMonth(sql`u.id`)} as "postsThisMonth",
      ${MONTH_ENDS} as "monthEndsAt", ${pendingPosts(sql`u.id`)} as "pendingPosts",
      coalesce((select bytes from media_usage m where m.user_id = u.id), 0) as "storageBytes",
      s.notice, clock_timestamp() as now
    from users u cross join service_settings s
      left join accounts a on a.user_id = u.id
      left join lateral effective_plan(u.id) e on true
      left join plans p on p.id = e.plan_id
      left join plan_assignments pa on pa.id = e.assignment_id
    where u.id = ${userId}`);
}
