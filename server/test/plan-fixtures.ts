import type { CurrencyCreateBody } from '@meridian/contract/currencies';
import type { PlanCreateBody } from '@meridian/contract/plans';
import { PLAN_BODY } from '@meridian/contract/samples';
import type { TicketStatus } from '@meridian/contract/tickets';
import type { Database, Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { uuidV7 } from '../src/db/columns.ts';
import { newTicketCode, redeemTicket } from '../src/features/tickets/tickets.service.ts';
import type { Redemption } from '../src/features/tickets/tickets.service.ts';
import { grantPlan, insertUser } from './fixtures.ts';

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

/** In a transaction of its own. */
export async function redeem(db: Database, code: string, userId: string): Promise<Redemption> {
  return db.transaction((tx) => redeemTicket(tx, code, userId));
}

/** A user with a plan of these limits. */
export async function userWithLimits(db: Db, limits: Record<string, unknown>): Promise<string> {
  const userId = await insertUser(db);
  const { planId } = await grantPlan(db, userId);
  await db.execute(sql`update plans set limits = ${sql.json(limits)} where id = ${planId}`);
  return userId;
}

/** By the ticket's id; the new assignment's id, or null when it was refused. */
export async function redeemById(
  db: Database,
  ticketId: string,
  userId: string,
): Promise<string | null> {
  const { code } = await db.one<{ code: string }>(
    sql`select code from tickets where id = ${ticketId}`,
  );
  const redeemed = await redeem(db, code, userId);
  return redeemed.result === 'redeemed' ? redeemed.assignmentId : null;
}
