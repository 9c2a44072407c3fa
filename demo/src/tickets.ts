import { TICKET_CODE_ALPHABET } from '@meridian/contract/tickets';
import batches from '../data/tickets.json' with { type: 'json' };
import { assign } from './assignments.ts';
import type { AssignmentRow } from './assignments.ts';
import { newId } from './ids.ts';
import type { PlanRow } from './plans.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { Json } from './rows.ts';
import { DAY, HOUR, iso } from './times.ts';
import type { DemoUser } from './users.ts';

/**
 * Tickets that were issued for one purpose. `redeemed`, `issuedDaysAgo` and `deadline` are ranges;
 * a deadline counts in days from now.
 */
type Batch = (typeof batches)[number];

export function makeTickets(
  plans: readonly PlanRow[],
  users: readonly DemoUser[],
  { issuerId, now }: { issuerId: string; now: number },
) {
  const random = createRandom('tickets');
  const tickets: TicketRow[] = [];
  const assignments: AssignmentRow[] = [];
  for (const batch of batches) {
    const plan = plans.find(({ name }) => name === batch.plan);
    if (plan === undefined) throw new Error(`There is no plan ${batch.plan}`);
    for (let index = 0; index < batch.count; index += 1) {
      const ticket = makeTicket(random, batch, { planId: plan.id, issuerId, now });
      const granted = redeem(random, batch, ticket, { users, now });
      const redeemedAt = granted.map(({ created_at }) => created_at).toSorted();
      const updated_at = redeemedAt.at(-1) ?? ticket.updated_at;
      tickets.push({ ...ticket, redemption_count: granted.length, updated_at });
      assignments.push(...granted);
    }
  }
  return { tickets, assignments };
}

function makeTicket(
  random: Random,
  batch: Batch,
  { planId, issuerId, now }: { planId: string; issuerId: string; now: number },
) {
  const issuedAt = Math.round(now - within(random.between, batch.issuedDaysAgo) * DAY);
  const revokedAt = issuedAt + random.between(0.02, 0.9) * (now - issuedAt);
  // Deadlines are set in whole hours, as people do.
  const deadline =
    batch.deadline === undefined
      ? null
      : Math.round((now + within(random.between, batch.deadline) * DAY) / HOUR) * HOUR;
  const code = random.text(TICKET_CODE_ALPHABET, 16).replaceAll(/(.{4})(?=.)/g, '$1-');
  return {
    id: newId(random, issuedAt),
    code,
    status: batch.status,
    plan_id: planId,
    issuer_id: issuerId,
    valid_days: batch.validDays,
    max_redemptions: batch.max,
    redemption_count: 0,
    issued_at: iso(issuedAt),
    redemption_deadline: deadline === null ? null : iso(deadline),
    updated_at: iso(batch.status === 'REVOKED' ? Math.round(revokedAt) : issuedAt),
    memo: batch.memo ?? null,
    limits_override: batch.override === undefined ? null : new Json(batch.override),
  };
}

type TicketRow = ReturnType<typeof makeTicket>;

/** Different users, each after joining, after the issue and before the deadline. */
function redeem(
  random: Random,
  batch: Batch,
  ticket: TicketRow,
  { users, now }: { users: readonly DemoUser[]; now: number },
): AssignmentRow[] {
  const issuedAt = Date.parse(ticket.issued_at);
  const { redemption_deadline: deadline } = ticket;
  const latest = Math.min(now - HOUR, deadline === null ? Infinity : Date.parse(deadline));
  const eligible = users.filter((user) => user.createdAt + HOUR < latest);
  const redeemers = random.shuffled(eligible).slice(0, within(random.int, batch.redeemed));
  return redeemers.map((user) => {
    const earliest = Math.max(issuedAt, user.createdAt + 10 * 60_000);
    const activatedAt = Math.round(earliest + (latest - earliest) * random.unit() ** 1.5);
    const grant = { planId: ticket.plan_id, ticketId: ticket.id, days: ticket.valid_days };
    return assign(random, user, { ...grant, activatedAt, now });
  });
}

function within(draw: (min: number, max: number) => number, range: number[]): number {
  const [min = 0, max = min] = range;
  return draw(min, max);
}
