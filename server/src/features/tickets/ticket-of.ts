import type { Ticket } from '@meridian/contract/tickets';
import type { PlanSummary } from '../plans/plans.store.ts';
import type { TicketRow } from './tickets.store.ts';

/** A ticket as the contract has it, from its row and its plan. */
export function ticketOf(row: TicketRow, plan: PlanSummary | undefined): Ticket {
  if (plan === undefined) throw new Error('A ticket without its plan');
  const { issuerName, issuerHandle, ...fields } = row;
  return { ...fields, plan, issuer: { displayName: issuerName, handle: issuerHandle } };
}
