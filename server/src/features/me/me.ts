import { meDelete, meDisconnect, meExport, meGet, meSignOut } from '@meridian/contract/me/account';
import type { Me } from '@meridian/contract/me/account';
import { SCHEDULE_SENTENCES, schedulingClauses } from '@meridian/contract/schedule-check';
import type { PlanLimits } from '@meridian/contract/plan-limits';
import type { ScheduleFacts } from '@meridian/contract/schedule-check';
import type { FastifyInstance } from 'fastify';
import { MONTH_ENDS, pendingPosts, postsThisMonth } from '../../counters/counters.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { registerMember } from '../../http/register.ts';
import { streamText } from '../../http/stream.ts';
import type { createAccountsService } from '../accounts/accounts.ts';
import { STANDING, countedLimits } from '../schedule-check/schedule-check.ts';
import type { createMemberDeletion, createMemberExport } from './member-data.ts';
import { clearMemberCookie } from './member-sessions.ts';
import type { MemberSessions } from './member-sessions.ts';

const EXPORT = {
  type: 'application/json; charset=utf-8',
  bufferBytes: 1024 * 1024,
  // This is shorter than the database's idle_in_transaction_session_timeout.
  stallMs: 5_000,
  totalMs: 10 * 60_000,
};
const SUCCESS = { success: true } as const;

type Services = {
  me: ReturnType<typeof createMeService>;
  memberSessions: MemberSessions;
  accounts: ReturnType<typeof createAccountsService>;
  memberExport: ReturnType<typeof createMemberExport>;
  memberDeletion: ReturnType<typeof createMemberDeletion>;
};

export function meRoutes(app: FastifyInstance, services: Services): void {
  const { me, memberSessions, accounts, memberExport, memberDeletion } = services;
  registerMember(app, meGet, ({ member }) => me.get(member.userId));

  registerMember(app, meSignOut, async ({ member, reply }) => {
    await memberSessions.end(member.sessionId);
    clearMemberCookie(reply);
    return SUCCESS;
  });

  registerMember(app, meDisconnect, async ({ member }) => {
    await accounts.disconnect(member.userId, null);
    const { account } = await me.get(member.userId);
    return { account };
  });

  registerMember(app, meExport, async ({ member, reply }) => {
    const stream = await streamText(reply, EXPORT, async (sink) => {
      await memberExport.write(member.userId, sink);
      return '\n}\n';
    });
    const day = new Date().toISOString().slice(0, 10);
    reply.header('content-disposition', `attachment; filename="my-data-${day}.json"`);
    return stream;
  });

  registerMember(
    app,
    meDelete,
    async ({ member, body, request, reply }) => {
      await memberDeletion.delete(member, body, request.id);
      clearMemberCookie(reply);
      return SUCCESS;
    },
    { timeoutMs: 60_000 },
  );
}

export function createMeService(db: Database) {
  return {
    async get(userId: string): Promise<Me> {
      const row = await findMe(db, userId);
      // The member was deleted since the session was looked up.
      if (row === null) throw new AppError('session_ended');
      return shownMe(row);
    },
  };
}

function shownMe(row: MeRow): Me {
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

function scheduleSentence(row: MeRow): string | null {
  const limits = row.plan === null ? null : countedLimits(row.limits ?? {});
  const usage = { monthlyPosts: row.postsThisMonth, pendingPosts: row.pendingPosts };
  const [word] = schedulingClauses({ ...row, account: row.state, limits, usage });
  if (word === undefined) return null;
  return SCHEDULE_SENTENCES[word]({
    monthly: limits?.monthlyPosts ?? 0,
    pending: limits?.pendingPosts ?? 0,
    monthEndsAt: row.monthEndsAt,
  });
}

export type MeRow = Omit<ScheduleFacts, 'limits' | 'usage' | 'account'> &
  Me['user'] &
  Omit<Me['account'], 'state'> &
  Me['usage'] &
  Pick<Me['plan'], 'tier' | 'expiresAt'> &
  Pick<Me['service'], 'notice'> & {
    plan: string | null;
    state: ScheduleFacts['account'];
    limits: PlanLimits | null;
    now: string;
  };

/** One statement reads it, so that all of it is of one moment. */
export async function findMe(db: Db, userId: string): Promise<MeRow | null> {
  return db.maybeOne<MeRow>(sql`
    select u.id, u.did, u.handle, u.display_name as "displayName", u.avatar, ${STANDING},
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
