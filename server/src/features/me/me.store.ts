import type { AccountState, VerdictFacts } from '@meridian/contract/verdict';
import type { PlanLimits } from '@meridian/contract/plan-limits';
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
};

/** One statement, so that all of it is of one moment. Without an account, one has to be connected. */
export async function findMe(db: Db, userId: string): Promise<MeRow | null> {
  return db.maybeOne<MeRow>(sql`
    select u.id, u.did, u.handle, u.display_name as "displayName", u.avatar, u.status,
      u.is_active as "isActive", u.has_access_keyword_access as "hasKeyword",
      s.is_closed_beta as "isClosedBeta", s.is_service_suspended as "isSuspended",
      coalesce(u.created_at >= s.closed_beta_at, s.is_closed_beta) as "isNewcomer",
      coalesce(a.state, 'RECONNECT') as state, a.host, a.state_since as since,
      p.display_name ->> 'en' as plan, l.tier, l.expires_at as "expiresAt", l.limits,
      l.posts_this_month as "postsThisMonth", l.month_ends_at as "monthEndsAt",
      l.pending_posts as "pendingPosts", storage_used(u.id) as "storageBytes", s.notice
    from users u cross join service_settings s
      left join accounts a on a.user_id = u.id
      cross join lateral meridian_api.limits_in_force(u.id) l
      left join plans p on p.id = l.plan_id
    where u.id = ${userId}`);
}
