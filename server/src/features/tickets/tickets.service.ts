import type { Assignment } from '@meridian/contract/assignments';
import { TICKET_MESSAGES } from '@meridian/contract/tickets';
import type { Ticket, TicketIssueBody } from '@meridian/contract/tickets';
import type { Database } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError, invalidField } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { listOfTicket } from '../assignments/assignments.store.ts';
import { summarizePlans } from '../plans/plans.store.ts';
import type { PlanSummary } from '../plans/plans.store.ts';
import { newTicketCode } from './ticket-code.ts';
import * as store from './tickets.store.ts';

export type TicketsService = ReturnType<typeof createTicketsService>;

const CODE_ATTEMPTS = 3;

export function createTicketsService(db: Database, newCode: () => string = newTicketCode) {
  /** Tickets share few plans: each is read once, and never goes away. */
  async function withPlans(rows: readonly store.TicketRow[]): Promise<Ticket[]> {
    const ids = [...new Set(rows.map(({ planId }) => planId))];
    const plans = new Map((await summarizePlans(db, ids)).map((plan) => [plan.id, plan]));
    return rows.map((row) => ticketOf(row, plans.get(row.planId)));
  }

  async function withPlan(row: store.TicketRow): Promise<Ticket> {
    const [plan] = await summarizePlans(db, [row.planId]);
    return ticketOf(row, plan);
  }

  async function requireTicket(id: string): Promise<store.TicketRow> {
    const row = isUuid(id) ? await store.findTicket(db, id) : null;
    if (row === null) throw new AppError('ticket_not_found');
    return row;
  }

  async function insertWithFreshCode(ticket: Omit<store.NewTicket, 'code'>) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store.insertTicket(db, { ...ticket, code: newCode() });
      } catch (error) {
        if (isViolation(error, 'tickets_plan_available')) throw planNotAvailable();
        const isTaken = isViolation(error, 'tickets_code_key');
        if (!isTaken || attempt === CODE_ATTEMPTS) throw error;
      }
    }
  }

  return {
    async list(): Promise<Ticket[]> {
      return withPlans(await store.listTickets(db));
    },

    async get(id: string): Promise<{ ticket: Ticket; assignments: Assignment[] }> {
      const row = await requireTicket(id);
      const [ticket, assignments] = await Promise.all([withPlan(row), listOfTicket(db, row.id)]);
      return { ticket, assignments };
    },

    async issue(issuerId: string, body: TicketIssueBody): Promise<Ticket> {
      if (!isUuid(body.planId)) throw planNotAvailable();
      const { limitsOverride = null } = body;
      const hasOverride = limitsOverride !== null && Object.keys(limitsOverride).length > 0;
      const row = await insertWithFreshCode({
        id: uuidV7(),
        planId: body.planId,
        issuerId,
        validDays: body.validDays,
        maxRedemptions: body.maxRedemptions,
        redemptionDeadline: body.redemptionDeadline ?? null,
        memo: body.memo || null,
        limitsOverride: hasOverride ? limitsOverride : null,
      });
      if (row === null) throw invalidField('redemptionDeadline', TICKET_MESSAGES.deadlinePassed);
      return withPlan(row);
    },

    async revoke(id: string): Promise<Ticket> {
      const row = isUuid(id) ? await store.revokeTicket(db, id) : null;
      if (row !== null) return withPlan(row);
      await requireTicket(id);
      throw new AppError('ticket_not_revocable');
    },
  };
}

function planNotAvailable(): AppError {
  return invalidField('planId', TICKET_MESSAGES.planNotAvailable);
}

function ticketOf(row: store.TicketRow, plan: PlanSummary | undefined): Ticket {
  if (plan === undefined) throw new Error('A ticket without its plan');
  const { issuerName, issuerHandle, ...fields } = row;
  return { ...fields, plan, issuer: { displayName: issuerName, handle: issuerHandle } };
}
