import { TICKET_CODE_ALPHABET } from '@meridian/contract/tickets';
import { newId } from '../identifiers.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { Json } from '../rows.ts';
import type { AssignmentRow, PlanRow, TicketRow } from '../rows.ts';
import { DAY, HOUR, iso } from '../times.ts';
import type { DemoUser } from '../users.ts';
import { assign } from './assignments.ts';
import { TICKET_BATCHES } from './ticket-batches.ts';
import type { Batch } from './ticket-batches.ts';

export type Grants = { tickets: TicketRow[]; assignments: AssignmentRow[] };

export function makeTickets(
  plans: readonly PlanRow[],
  users: readonly DemoUser[],
  { issuerId, now }: { issuerId: string; now: number },
): Grants {
  const random = createRandom('tickets');
  const tickets: TicketRow[] = [];
  const assignments: AssignmentRow[] = [];
  for (const batch of TICKET_BATCHES) {
    const plan = plans.find(({ name }) => name === batch.plan);
    if (plan === undefined) throw new Error(`There is no plan ${batch.plan}`);
    for (let index = 0; index < batch.count; index += 1) {
      const ticket = makeTicket(random, batch, { planId: plan.id, issuerId, now });
      const granted = redeem(random, batch, ticket, { users, now });
      const lastAt = granted
        .map(({ created_at }) => created_at)
        .toSorted()
        .at(-1);
      tickets.push({
        ...ticket,
        redemption_count: granted.length,
        updated_at: lastAt ?? ticket.updated_at,
      });
      assignments.push(...granted);
    }
  }
  return { tickets, assignments };
}

function makeTicket(
  random: Random,
  batch: Batch,
  { planId, issuerId, now }: { planId: string; issuerId: string; now: number },
): TicketRow {
  const issuedAt = Math.round(now - random.between(...batch.issuedDaysAgo) * DAY);
  const revokedAt = issuedAt + random.between(0.02, 0.9) * (now - issuedAt);
  // Deadlines are set in whole hours, as people do.
  const deadline =
    batch.deadline === undefined
      ? null
      : Math.round((now + random.between(...batch.deadline) * DAY) / HOUR) * HOUR;
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
  const redeemers = random.shuffled(eligible).slice(0, random.int(...batch.redeemed));
  return redeemers.map((user) => {
    const earliest = Math.max(issuedAt, user.createdAt + 10 * 60_000);
    const activatedAt = Math.round(earliest + (latest - earliest) * random.unit() ** 1.5);
    return assign(
      random,
      user,
      { planId: ticket.plan_id, ticketId: ticket.id, activatedAt, days: ticket.valid_days },
      now,
    );
  });
}
