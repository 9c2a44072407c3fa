import { newId } from '../identifiers.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import type { AssignmentRow, PlanRow } from '../rows.ts';
import { DAY, HOUR, iso } from '../times.ts';
import type { DemoUser } from '../users.ts';

type Grant = { planId: string; ticketId: string | null; activatedAt: number; days: number | null };

/** ACTIVE or EXPIRED as the dates say; now and then somebody revoked it in between. */
export function assign(
  random: Random,
  user: DemoUser,
  { planId, ticketId, activatedAt, days }: Grant,
  now: number,
): AssignmentRow {
  const expiresAt = days === null ? null : activatedAt + days * DAY;
  const endsAt = Math.min(expiresAt ?? Infinity, now);
  const isRevoked = random.chance(user.stoppedAt === null ? 0.05 : 0.4);
  const revokedAt = Math.round(activatedAt + (endsAt - activatedAt) * random.between(0.05, 0.95));
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    id: newId(random, activatedAt),
    user_id: user.row.id,
    plan_id: planId,
    ticket_id: ticketId,
    status: isRevoked ? 'REVOKED' : isExpired ? 'EXPIRED' : 'ACTIVE',
    activated_at: iso(activatedAt),
    expires_at: expiresAt === null ? null : iso(expiresAt),
    revoked_at: isRevoked ? iso(revokedAt) : null,
    created_at: iso(activatedAt),
  };
}

/** Subscriptions that somebody paid for or was given by hand: no ticket, some without an end. */
export function makeSubscriptions(
  plans: readonly PlanRow[],
  users: readonly DemoUser[],
  now: number,
): AssignmentRow[] {
  const random = createRandom('subscriptions');
  const planId = (name: string) => plans.find((plan) => plan.name === name)?.id ?? '';
  return users.flatMap((user) => {
    if (!random.chance(user.kind === 'person' ? 0.2 : 0.55)) return [];
    const best = user.kind === 'newsroom' ? 'newsroom' : 'studio';
    const activatedAt = Math.round(
      user.createdAt + HOUR + (now - 2 * HOUR - user.createdAt - HOUR) * random.unit(),
    );
    const days = random.weighted([
      [30, 4],
      [365, 5],
      [null, 2],
    ] as const);
    const name = random.weighted([
      ['creator', 5],
      [best, 4],
      ['partner', 1],
    ] as const);
    return assign(random, user, { planId: planId(name), ticketId: null, activatedAt, days }, now);
  });
}
