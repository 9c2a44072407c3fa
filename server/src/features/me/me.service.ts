import type { Me } from '@meridian/contract/me/account';
import { SCHEDULE_SENTENCES } from '@meridian/contract/me/schedule-sentence';
import { UNLIMITED } from '@meridian/contract/fields';
import { schedulingClauses } from '@meridian/contract/verdict';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { findMe } from './me.store.ts';
import type { MeRow } from './me.store.ts';

export function createMeService(db: Database) {
  return {
    async get(userId: string): Promise<Me> {
      const row = await findMe(db, userId);
      // Deleted since the session was looked up.
      if (row === null) throw new AppError('session_ended');
      return meOf(row);
    },
  };
}

function meOf(row: MeRow): Me {
  const { id, did, handle, displayName, avatar, status, state, host, since } = row;
  const sentence = scheduleSentence(row);
  return {
    user: { id, did, handle, displayName, avatar, status },
    account: { state, host, since },
    plan: { name: row.plan, tier: row.tier, expiresAt: row.expiresAt },
    limits: row.limits ?? {},
    usage: {
      postsThisMonth: row.postsThisMonth,
      monthEndsAt: row.monthEndsAt,
      pendingPosts: row.pendingPosts,
      storageBytes: row.storageBytes,
    },
    service: { isSuspended: row.isSuspended, notice: row.notice, isClosedBeta: row.isClosedBeta },
    schedule: { isAllowed: sentence === null, sentence },
  };
}

/** Null when the member may schedule. */
function scheduleSentence(row: MeRow): string | null {
  const limits = row.plan === null ? null : limitsOf(row);
  const usage = { monthlyPosts: row.postsThisMonth, pendingPosts: row.pendingPosts };
  const [word] = schedulingClauses({ ...row, account: row.state, limits, usage });
  if (word === undefined) return null;
  return SCHEDULE_SENTENCES[word]({
    monthly: limits?.monthlyPosts ?? 0,
    pending: limits?.pendingPosts ?? 0,
    monthEndsAt: row.monthEndsAt,
  });
}

function limitsOf({ limits }: MeRow) {
  const valueOf = (name: string) => {
    const value = limits?.[name];
    return typeof value === 'number' ? value : UNLIMITED;
  };
  return {
    monthlyPosts: valueOf('monthly_posts_limit'),
    pendingPosts: valueOf('pending_posts_limit'),
  };
}
