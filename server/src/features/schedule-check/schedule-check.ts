import { UNLIMITED } from '@meridian/contract/fields';
import type { PlanLimits } from '@meridian/contract/plan-limits';
import {
  clauseOf,
  publishingClauses,
  schedulingClauses,
  scheduleCheckGet,
} from '@meridian/contract/schedule-check';
import type {
  ScheduleCheck,
  ScheduleFacts,
  ScheduleLimit,
} from '@meridian/contract/schedule-check';
import type { FastifyInstance } from 'fastify';
import { pendingPosts, postsThisMonth } from '../../counters/counters.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid, register } from '../../http/register.ts';
import type { ClaimRules } from '../engine/engine.ts';

export function scheduleCheckRoutes(
  app: FastifyInstance,
  { scheduleChecks }: { scheduleChecks: ReturnType<typeof createScheduleChecks> },
): void {
  register(app, scheduleCheckGet, async ({ params }) => ({
    scheduleCheck: await scheduleChecks.get(params.id),
  }));
}

type Rules = Pick<ClaimRules, 'needsAccount'>;

export function createScheduleChecks(db: Database, rules: Rules) {
  return {
    async get(userId: string): Promise<ScheduleCheck> {
      const row = isUuid(userId) ? await findScheduleFacts(db, userId) : null;
      if (row === null) throw new AppError('user_not_found');
      return scheduleCheckOf(row, rules);
    },
  };
}

function scheduleCheckOf(row: FactsRow, { needsAccount }: Rules): ScheduleCheck {
  const { accountState: state, host, accountSince: since, source } = row;
  const usage = { monthlyPosts: row.monthlyPosts, pendingPosts: row.pendingPosts };
  const effective: PlanLimits = { ...row.planLimits, ...row.overrides };
  const facts: ScheduleFacts = {
    ...row,
    account: state === 'NONE' && needsAccount ? 'RECONNECT' : state,
    usage,
    limits: source && countedLimits(effective),
  };
  return {
    scheduling: schedulingClauses(facts).map(clauseOf),
    publishing: publishingClauses(facts).map(clauseOf),
    account: { state, host, since },
    source: source && { ...source, expiresAt: row.expiresAt },
    limits: limitsOf(row, effective),
  };
}

export function countedLimits(limits: PlanLimits): NonNullable<ScheduleFacts['limits']> {
  const valueOf = (name: string) => {
    const value = limits[name];
    return typeof value === 'number' ? value : UNLIMITED;
  };
  return {
    monthlyPosts: valueOf('monthly_posts_limit'),
    pendingPosts: valueOf('pending_posts_limit'),
  };
}

function limitsOf({ planLimits, overrides, ...row }: FactsRow, all: PlanLimits): ScheduleLimit[] {
  const usage: Readonly<Record<string, number>> = {
    monthly_posts_limit: row.monthlyPosts,
    pending_posts_limit: row.pendingPosts,
  };
  return Object.entries(all).map(([name, effective]) => ({
    name,
    plan: planLimits?.[name] ?? null,
    override: overrides?.[name] ?? null,
    effective,
    usage: usage[name] ?? null,
  }));
}

type FactsRow = Omit<ScheduleFacts, 'limits' | 'usage' | 'account'> & {
  accountState: ScheduleFacts['account'];
  host: string | null;
  accountSince: string | null;
  monthlyPosts: number;
  pendingPosts: number;
  source: Omit<NonNullable<ScheduleCheck['source']>, 'expiresAt'> | null;
  expiresAt: string | null;
  planLimits: PlanLimits | null;
  overrides: PlanLimits | null;
};

export const STANDING = sql`
  u.status, u.is_active as "isActive", u.has_access_keyword_access as "hasKeyword",
  s.is_closed_beta as "isClosedBeta", s.is_service_suspended as "isSuspended",
  coalesce(u.created_at >= s.closed_beta_at, s.is_closed_beta) as "isNewcomer"`;

/** One statement reads them, so that all of it is of one moment. */
export async function findScheduleFacts(db: Db, userId: string): Promise<FactsRow | null> {
  return db.maybeOne<FactsRow>(sql`
    select ${STANDING}, coalesce(a.state, 'NONE') as "accountState", a.host, a.state_since as "accountSince",
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
