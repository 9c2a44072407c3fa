import type { AnswerOf } from '@meridian/contract/endpoint';
import type { ErrorCode } from '@meridian/contract/errors';
import { meTicketRedeem } from '@meridian/contract/me/account';
import type { FastifyInstance } from 'fastify';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import { registerMember } from '../../http/register.ts';
import type { Member } from '../../http/register.ts';
import { readTicketCode, redeemTicket } from '../tickets/tickets.service.ts';
import type { Refusal } from '../tickets/tickets.service.ts';
import { countTicketCode } from './member-limits.ts';

export function redemptionRoutes(
  app: FastifyInstance,
  { redemption }: { redemption: ReturnType<typeof createRedemption> },
): void {
  registerMember(app, meTicketRedeem, ({ member, request, body }) =>
    redemption.redeem(member, networkOf(request.ip), body.code),
  );
}

type Redeemed = AnswerOf<typeof meTicketRedeem>;
type PlanInForce = { assignmentId: string | null; name: string; expiresAt: string | null };

const REFUSALS: Record<Refusal, ErrorCode> = {
  unknown: 'ticket_code_unknown',
  revoked: 'ticket_revoked',
  already_redeemed: 'ticket_already_redeemed',
  expired: 'ticket_expired',
  used_up: 'ticket_used_up',
  user_inactive: 'may_not_schedule',
  upgrade_prohibited: 'upgrade_prohibited',
};

export function createRedemption(db: Database) {
  return {
    async redeem(member: Member, network: string, typed: string): Promise<Redeemed> {
      const attempt = await countTicketCode(db, member, network);
      const { result, redeemed } = await db.transaction((tx) => redeemIn(tx, member.userId, typed));
      if (result !== 'unknown') await attempt.refund();
      if (redeemed === null) throw new AppError(REFUSALS[result]);
      return redeemed;
    },
  };
}

async function redeemIn(tx: Db, userId: string, typed: string) {
  const before = await findPlanInForce(tx, userId);
  // Codes are copied with dots, underscores or quotation marks.
  const code = readTicketCode(typed.replaceAll(/[^0-9a-z]/giu, '')) ?? typed;
  const redemption = await redeemTicket(tx, code, userId);
  if (redemption.result !== 'redeemed') return { result: redemption.result, redeemed: null };
  const { result, assignmentId: id } = redemption;
  const plan = await tx.one<Redeemed['plan']>(sql`
    select p.display_name ->> 'en' as name, p.tier, a.expires_at as "expiresAt"
    from plan_assignments a join plans p on p.id = a.plan_id where a.id = ${id}`);
  const after = await findPlanInForce(tx, userId);
  const isInForce = after?.assignmentId === id;
  return { result, redeemed: { plan, earlier: earlierSentence(before, plan, isInForce) } };
}

async function findPlanInForce(tx: Db, userId: string): Promise<PlanInForce | null> {
  return tx.maybeOne<PlanInForce>(sql`
    select e.assignment_id as "assignmentId", p.display_name ->> 'en' as name, a.expires_at as "expiresAt"
    from effective_plan(${userId}) e join plans p on p.id = e.plan_id
    left join plan_assignments a on a.id = e.assignment_id`);
}

/** Assignments run side by side, and the best one holds: none is taken away, and no days are added. */
function earlierSentence(
  before: PlanInForce | null,
  { name, expiresAt }: Redeemed['plan'],
  isInForce: boolean,
): string | null {
  if (before === null || before.assignmentId === null) return null;
  const ends = before.expiresAt === null ? 'has no end' : `ends on ${dayOf(before.expiresAt)}`;
  if (!isInForce) {
    const then =
      before.expiresAt === null
        ? `, so ${name} changes nothing`
        : `. ${name} holds after it, if it has not ended by then`;
    return `Your plan ${before.name} is higher and still holds; it ${ends}${then}`;
  }
  const isLonger =
    before.expiresAt === null || (expiresAt !== null && before.expiresAt > expiresAt);
  return isLonger
    ? `Your plan ${before.name} rests while ${name} holds, and holds again after it; it ${ends}`
    : `Your plan ${before.name} rests while ${name} holds; it ${ends}`;
}

const dayOf = (instant: string) => instant.slice(0, 10);
