import {
  currencyCreate,
  planCreate,
  planUpdate,
  planUpdateBody,
  ticketGet,
} from '@meridian/contract';
import type {
  Assignment,
  Currency,
  Plan,
  PlanUpdateBody,
  Ticket,
  TicketStatus,
} from '@meridian/contract';
import type { Database } from '../../server/src/db/database.ts';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { sql } from '../../server/src/db/sql.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { newTicketCode } from '../../server/src/features/tickets/tickets.service.ts';
import { insertUser } from '../../server/test/fixtures.ts';
import { planBody } from '../../server/test/plan-fixtures.ts';
import type { Meridian } from './meridian.ts';
import { samplePlan } from './samples.ts';
import { openPatient } from '../../server/test/patient.ts';

type CurrencyFields = { code: string; name?: string; symbol?: string } & Partial<
  Pick<Currency, 'useDecimals' | 'decimalPlaces' | 'displayOrder' | 'isActive'>
>;
type PlanFields = Parameters<typeof planBody>[0];
type TicketFields = {
  plan?: Plan;
  code?: string;
  status?: TicketStatus;
  /** The user name of the administrator who issued it. */
  issuer?: string;
  validDays?: number;
  maxRedemptions?: number | null;
  redemptionCount?: number;
  issuedAt?: string;
  redemptionDeadline?: string | null;
  memo?: string | null;
  limitsOverride?: Record<string, unknown> | null;
};
type RedemptionFields = {
  displayName?: string | null;
  status?: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  activatedAt?: string;
  expiresAt?: string | null;
  createdAt?: string;
};

/** Currencies, plans, tickets and settings of the blank server: exactly what a test puts there. */
export class Catalogue {
  readonly #db: Database;
  readonly #meridian: Meridian;

  constructor(db: Database, meridian: Meridian) {
    this.#db = db;
    this.#meridian = meridian;
  }

  static async open(dataDir: string, meridian: Meridian): Promise<Catalogue> {
    const { connection } = await startEmbeddedDatabase({ dataDir, purpose: 'tool' });
    return new Catalogue(openPatient(connection), meridian);
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  /** US dollars and yen, pounds that are not active, both switches off, and nothing else. */
  async reset(): Promise<void> {
    await this.clear();
    await this.#db.execute(sql`
      insert into currencies (id, code, name, symbol, use_decimals, display_order, is_active) values
        (${uuidV7()}, 'usd', 'US Dollar', '$', true, 0, true),
        (${uuidV7()}, 'jpy', 'Japanese Yen', '¥', false, 20, true),
        (${uuidV7()}, 'gbp', 'Pound Sterling', '£', true, 1999, false)`);
    await this.#db.execute(sql`
      update service_settings set is_closed_beta = false, is_service_suspended = false
      where is_closed_beta or is_service_suspended`);
  }

  /** Not even a currency. */
  async clear(): Promise<void> {
    await this.#db.execute(sql`delete from plan_assignments`);
    await this.#db.execute(sql`delete from tickets`);
    await this.#db.execute(sql`delete from plans`);
    await this.#db.execute(sql`delete from currencies`);
  }

  async currency({ code, ...fields }: CurrencyFields): Promise<Currency> {
    const body = { code, name: code.toUpperCase(), symbol: '¤', ...fields };
    return (await this.#meridian.call(currencyCreate, { body })).currency;
  }

  async currencies(codes: readonly string[]): Promise<void> {
    for (const [displayOrder, code] of codes.entries()) await this.currency({ code, displayOrder });
  }

  /** 'Studio', sold for $14.90, with every limit; the internal name is another each time. */
  async plan(fields: PlanFields = {}): Promise<Plan> {
    const { displayName, description, priceMonthly, priceYearly, limits, features } = samplePlan();
    const sample = { displayName, description, priceMonthly, priceYearly, limits, features };
    // The samples are responses of any server; this one takes these fields as they are.
    const body = planBody({
      ...(sample as PlanFields),
      tier: 'PREMIUM',
      displayOrder: 20,
      ...fields,
    });
    return (await this.#meridian.call(planCreate, { body })).plan;
  }

  /** As another administrator would. */
  async changePlan(plan: Plan, fields: Partial<PlanUpdateBody>): Promise<void> {
    const names = Object.keys(planUpdateBody.shape);
    const current = Object.entries(plan).filter(([name]) => names.includes(name));
    const body = planUpdateBody.parse({ ...Object.fromEntries(current), ...fields });
    await this.#meridian.call(planUpdate, { params: { id: plan.id }, body });
  }

  /** Written past the API, for states that only time or a redemption brings. */
  async ticket(fields: TicketFields = {}): Promise<Ticket> {
    const id = await this.#insertTicket(fields.plan ?? (await this.plan()), fields);
    return (await this.#meridian.call(ticketGet, { params: { id } })).ticket;
  }

  /** All of one plan, the first on top of the list. */
  async tickets(all: readonly TicketFields[]): Promise<void> {
    const plan = await this.plan();
    for (const [index, fields] of all.entries()) {
      const issuedAt = new Date(Date.UTC(2026, 10, 3) - index * 60_000).toISOString();
      await this.#insertTicket(plan, { issuedAt, ...fields });
    }
  }

  async #insertTicket(plan: Plan, fields: TicketFields): Promise<string> {
    const {
      status = 'UNUSED',
      maxRedemptions = 5,
      redemptionDeadline = null,
      memo = null,
    } = fields;
    const { issuedAt = '2026-11-03T09:02:00.000Z', limitsOverride = null } = fields;
    const redemptionCount = fields.redemptionCount ?? (status === 'ACTIVE' ? 1 : 0);
    const id = uuidV7();
    await this.#db.execute(sql`
      insert into tickets (id, code, status, plan_id, issuer_id, valid_days, max_redemptions,
        redemption_count, issued_at, updated_at, redemption_deadline, memo, limits_override)
      select ${id}, ${fields.code ?? newTicketCode()}, ${status}, ${plan.id}, id,
        ${fields.validDays ?? 30}, ${maxRedemptions}::int, ${redemptionCount}, ${issuedAt},
        ${issuedAt}::timestamptz + interval '1 day', ${redemptionDeadline}::timestamptz,
        ${memo}::text, ${limitsOverride === null ? null : sql.json(limitsOverride)}::jsonb
      from admins where username = ${fields.issuer ?? 'admin'}`);
    return id;
  }

  /** The assignment that a new user got for this ticket. */
  async redemption(ticket: Ticket, fields: RedemptionFields = {}): Promise<Assignment> {
    const { displayName = 'Harbour Lights', status = 'ACTIVE' } = fields;
    const { activatedAt = '2026-10-01T10:00:00.000Z', createdAt = activatedAt } = fields;
    const { expiresAt = '2099-12-31T23:00:00.000Z' } = fields;
    const user = await insertUser(this.#db, { display_name: displayName });
    const id = uuidV7();
    await this.#db.execute(sql`
      insert into plan_assignments (id, user_id, plan_id, ticket_id, status, activated_at,
        expires_at, revoked_at, created_at)
      values (${id}, ${user}, ${ticket.planId}, ${ticket.id}, ${status}, ${activatedAt},
        ${expiresAt}, ${status === 'REVOKED' ? activatedAt : null}, ${createdAt})`);
    const { assignments } = await this.#meridian.call(ticketGet, { params: { id: ticket.id } });
    const granted = assignments.find((assignment) => assignment.id === id);
    if (granted === undefined) throw new Error('The assignment is not listed');
    return granted;
  }

  /** As time does it. */
  async passDeadline({ id }: Ticket): Promise<void> {
    await this.#db.execute(sql`
      update tickets set redemption_deadline = now() - interval '1 minute' where id = ${id}`);
  }

  async settingsChangedAt(time: string): Promise<void> {
    await this.#db.execute(sql`update service_settings set updated_at = ${time}`);
  }
}
