import { newId } from './ids.ts';
import type { PlanRow } from './plans.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { DAY, HOUR, iso } from './times.ts';
import type { DemoUser } from './users.ts';

type Grant = {
  planId: string;
  ticketId: string | null;
  days: number | null;
  activatedAt: number;
  now: number;
};

/** ACTIVE or EXPIRED as the dates say; some were revoked in between. */
export function assign(random: Random, user: DemoUser, grant: Grant) {
  const { planId, ticketId, days, activatedAt, now } = grant;
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

export type AssignmentRow = ReturnType<typeof assign>;

/** Subscriptions without a ticket, paid for or given by hand; some without an end. */
export function makeSubscriptions(
  plans: readonly PlanRow[],
  users: readonly DemoUser[],
  now: number,
): AssignmentRow[] {
  const random = createRandom('subscriptions');
  const planId = (name: string) => plans.find((plan) => plan.name === name)?.id ?? '';
  return users.flatMap((user) => {
    if (!random.chance(user.voice === 'person' ? 0.2 : 0.55)) return [];
    const best = user.voice === 'newsroom' ? 'newsroom' : 'studio';
    const activatedAt = Math.round(
      user.createdAt + HOUR + (now - 2 * HOUR - user.createdAt - HOUR) * random.unit(),
    );
    const days = random.pick([30, 30, 365, 365, null]);
    const name = random.pick(['creator', 'creator', 'creator', best, best, 'partner']);
    return assign(random, user, { planId: planId(name), ticketId: null, days, activatedAt, now });
  });
}
