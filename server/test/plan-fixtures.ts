import type { CurrencyCreateBody } from '@meridian/contract/currencies';
import type { PlanCreateBody } from '@meridian/contract/plans';
import { PLAN_BODY } from '@meridian/contract/samples';
import type { TicketStatus } from '@meridian/contract/tickets';
import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { uuidV7 } from '../src/db/uuid-v7.ts';
import { newTicketCode } from '../src/features/tickets/ticket-code.ts';

let serial = 0;

/** A free plan with every field filled; a name of its own each time. */
export function planBody(fields: Partial<PlanCreateBody> = {}): PlanCreateBody {
  serial += 1;
  return {
    ...PLAN_BODY,
    name: `plan-${serial}`,
    displayName: { en: 'Basic', ja: 'ベーシック' },
    limits: { monthly_posts_limit: 10, thread_posts: false, max_video_size_mb: null },
    features: { en: ['Ten posts a month'] },
    displayOrder: 10,
    ...fields,
  };
}

/** The same as an update takes it: without the tier. */
export function planUpdate(
  fields: Partial<Omit<PlanCreateBody, 'tier'>> = {},
): Omit<PlanCreateBody, 'tier'> {
  const { tier: _, ...body } = planBody(fields);
  return body;
}

/** Writes the row past the API, over one of the same code; returns the id. */
export async function insertCurrency(
  db: Db,
  code: string,
  fields: Partial<CurrencyCreateBody> = {},
): Promise<string> {
  const { useDecimals = true, decimalPlaces = 2, displayOrder = 999, isActive = true } = fields;
  const { id } = await db.one<{ id: string }>(sql`
    insert into currencies
      (id, code, name, symbol, use_decimals, decimal_places, display_order, is_active)
    values (${uuidV7()}, ${code}, ${code.toUpperCase()}, '¤', ${useDecimals}, ${decimalPlaces},
      ${displayOrder}, ${isActive})
    on conflict (code) do update set display_order = excluded.display_order
    returning id`);
  return id;
}

export type TicketFixture = {
  code?: string;
  status?: TicketStatus;
  max_redemptions?: number | null;
  redemption_count?: number;
  redemption_deadline?: string | null;
  issued_at?: string;
};

/** Writes the row past the API, for states that only time or a redemption brings; returns the id. */
export async function insertTicket(
  db: Db,
  planId: string,
  issuerId: string,
  fields: TicketFixture = {},
): Promise<string> {
  const { code = newTicketCode(), status = 'UNUSED', max_redemptions = 1 } = fields;
  const { redemption_count = 0, redemption_deadline = null } = fields;
  const issued_at = fields.issued_at ?? '2026-02-01T00:00:00.000Z';
  const id = uuidV7();
  await db.execute(sql`
    insert into tickets (id, code, status, plan_id, issuer_id, valid_days, max_redemptions,
      redemption_count, issued_at, updated_at, redemption_deadline)
    values (${id}, ${code}, ${status}, ${planId}, ${issuerId}, 30, ${max_redemptions},
      ${redemption_count}, ${issued_at}, ${issued_at}, ${redemption_deadline})`);
  return id;
}

export type Redemption =
  | 'redeemed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'used_up'
  | 'already_redeemed'
  | 'user_inactive'
  | 'upgrade_prohibited';

/** What the redeeming side of the service calls. */
export async function redeem(
  db: Db,
  code: string,
  userId: string,
): Promise<{ result: Redemption; assignment_id: string | null; expires_at: string | null }> {
  return db.one(sql`select * from redeem_ticket(${code}, ${userId})`);
}

/** The same by the ticket's id; the new assignment's id, or null when it was refused. */
export async function redeemTicket(
  db: Db,
  ticketId: string,
  userId: string,
): Promise<string | null> {
  const row = await db.one<{ assignment_id: string | null }>(sql`
    select r.assignment_id from tickets t, redeem_ticket(t.code, ${userId}) r
    where t.id = ${ticketId}`);
  return row.assignment_id;
}
