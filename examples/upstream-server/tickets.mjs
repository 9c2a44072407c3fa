// Tickets, and the plans that people got by them.
import { randomBytes, randomUUID } from 'node:crypto';
import { admin, assignments, plans, tickets, users } from './data.mjs';
import { checkLimits } from './limits.mjs';
import { find, now, refuse, whole } from './rules.mjs';

const ticketOf = (id) => find(tickets, id, 'Ticket');

export const ticketCalls = {
  'POST /tickets/issue': ({ body }) => ({ ticket: withPlan(issue(body)) }),
  'GET /tickets': () => ({ tickets: tickets.map(withPlan) }),
  'GET /tickets/{id}': ({ id }) => ({
    ticket: withPlan(ticketOf(id)),
    assignments: assignments.filter(({ ticketId }) => ticketId === id).map(assignmentOf),
  }),
  'POST /tickets/{id}/revoke': ({ id }) => {
    const ticket = ticketOf(id);
    if (ticket.status !== 'UNUSED') refuse(409, 'Only an unused ticket can be revoked');
    return { ticket: withPlan(Object.assign(ticket, { status: 'REVOKED', updatedAt: now() })) };
  },
};

function issue({
  planId,
  validDays = 30,
  maxRedemptions = 1,
  redemptionDeadline = null,
  memo = null,
  limitsOverride = null,
}) {
  const plan = plans.find(({ id }) => id === planId);
  if (!plan?.isActive || plan.tier === 'FREE')
    refuse(400, 'Choose an active plan that is not free');
  whole(validDays, 'validDays', [1, 3650]);
  if (maxRedemptions !== null) whole(maxRedemptions, 'maxRedemptions', [1, 10_000]);
  checkLimits('ticket', limitsOverride ?? {});
  const ticket = {
    id: randomUUID(),
    code: randomBytes(8).toString('hex').toUpperCase(),
    status: 'UNUSED',
    planId,
    issuer: { displayName: admin.displayName, handle: admin.username },
    validDays,
    maxRedemptions,
    redemptionCount: 0,
    issuedAt: now(),
    redemptionDeadline,
    updatedAt: now(),
    memo,
    limitsOverride,
  };
  tickets.unshift(ticket);
  return ticket;
}

function withPlan(ticket) {
  const { id, name, displayName, tier, limits } = find(plans, ticket.planId, 'Plan');
  return { ...ticket, plan: { id, name, displayName, tier, limits } };
}

/** An assignment as the console reads it, with its plan, its user and the ticket it came from. */
export function assignmentOf({ ticketId, userId, planId, ...assignment }) {
  const { id, display_name: displayName, handle, did } = find(users, userId, 'User');
  const { code } = ticketOf(ticketId);
  const { plan } = withPlan({ planId });
  return { ...assignment, plan, ticket: { code }, user: { id, displayName, handle, did } };
}
