import type { Currency } from '@meridian/contract/currencies';
import type { LanguageText } from '@meridian/contract/fields';
import {
  MONEY_MESSAGES,
  PLAN_MESSAGES,
  decimalPlacesOf,
  planUpdateBody,
  priceProblem,
} from '@meridian/contract/plans';
import type { Plan, PlanCreateBody, PlanUpdateBody } from '@meridian/contract/plans';
import { isDeepStrictEqual } from 'node:util';
import { record } from '../../audit/audit.store.ts';
import type { AuditContext, Author } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import type { ExpectedVersions, Sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import type { Issue } from '../../http/errors.ts';
import { once } from '../../http/idempotency.ts';
import type { RequestKey } from '../../http/idempotency.ts';
import { isUuid } from '../../http/register.ts';
import { lockCurrencies } from '../currencies/currencies.store.ts';
import { counted, parsed, required, requireVersion } from '../noun.ts';
import type { Fields, Noun } from '../noun.ts';
import * as store from './plans.store.ts';

export function createPlansService(db: Database) {
  /** The row stays locked until the plan is read, so the response shows no later change. */
  async function changeFlag(
    id: string,
    change: store.PlanFlag,
    expected: ExpectedVersions,
    audit: AuditContext,
  ): Promise<Plan> {
    return db.transaction(async (tx) => {
      const stored = await lockedPlan(tx, id, expected);
      if (change.flag === 'isActive') {
        if (change.isOn && !stored.isActive) {
          requireActivePrice(stored, await lockCurrencies(tx, currencyCodes(stored)));
        }
        await store.releaseQuota(tx);
      }
      return store.setFlag(tx, id, change, audit);
    });
  }

  return {
    list: (filter: store.PlanFilter): Promise<Plan[]> => store.listPlans(db, filter),

    get: (id: string): Promise<Plan> => requirePlan(db, id),

    create(
      by: Author,
      { tier, ...body }: PlanCreateBody,
      key: RequestKey | null = null,
    ): Promise<Plan> {
      const id = uuidV7();
      const content = planContent(body);
      return withNameRefusal(() =>
        once(db, key, async (tx) => {
          const currencies = await lockCurrencies(tx, currencyCodes(content));
          requireGoodPrices(tier, content, currencies);
          await store.insertPlan(tx, id, tier, content);
          await store.insertPrices(tx, id, content);
          const plan = await requirePlan(tx, id);
          const change = { id, before: null, after: recordedPlan(plan) };
          await record(tx, { by, action: 'planCreate' }, change);
          return plan;
        }),
      );
    },

    update(by: Author, id: string, body: PlanUpdateBody, expected: ExpectedVersions) {
      const content = planContent(body);
      return withNameRefusal(() =>
        db.transaction(async (tx) => {
          const currencies = await lockCurrencies(tx, currencyCodes(content));
          const stored = await lockedPlan(tx, id, expected);
          requireGoodPrices(stored.tier, content, currencies);
          if (isUnchanged(stored, content)) return stored;
          await store.deletePrices(tx, id);
          await store.updatePlan(tx, id, content);
          await store.insertPrices(tx, id, content);
          await store.releaseQuota(tx);
          const plan = await requirePlan(tx, id);
          const change = { id, before: recordedPlan(stored), after: recordedPlan(plan) };
          await record(tx, { by, action: 'planUpdate' }, change);
          return plan;
        }),
      );
    },

    setActive: (by: Author, id: string, isOn: boolean, expected: ExpectedVersions) =>
      changeFlag(id, { flag: 'isActive', isOn }, expected, { by, action: 'planSetActive' }),

    setVisible: (by: Author, id: string, isOn: boolean, expected: ExpectedVersions) =>
      changeFlag(id, { flag: 'isVisible', isOn }, expected, { by, action: 'planSetVisibility' }),
  };
}

const UNRECORDED = new Set(['id', 'isPaid', 'createdAt', 'updatedAt']);

function recordedPlan(plan: Plan): object {
  return Object.fromEntries(Object.entries(plan).filter(([name]) => !UNRECORDED.has(name)));
}

async function requirePlan(db: Db, id: string): Promise<Plan> {
  return required(isUuid(id) ? await store.findPlan(db, id) : null, 'plan_not_found');
}

async function lockedPlan(tx: Db, id: string, expected: ExpectedVersions): Promise<Plan> {
  if (isUuid(id)) await store.lockPlan(tx, id);
  const plan = await requirePlan(tx, id);
  requireVersion(expected, plan, 'changed_elsewhere');
  return plan;
}

async function withNameRefusal<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isViolation(error, 'plans_name_key') ? new AppError('plan_name_taken') : error;
  }
}

const SHOWN_NAMES = 10;

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

export function withoutActivePrice(names: readonly string[]): AppError {
  const message = `These plans have no monthly price in an active currency: ${listed(names)}. Add a price or activate a currency first`;
  return new AppError('plan_price_inactive', {
    message,
    issues: [{ path: 'priceMonthly', message }],
  });
}

export function currencyInUse(plans: readonly string[]): AppError {
  const message = `These active plans are priced only in this currency: ${listed(plans)}. Add another price or deactivate them first`;
  return new AppError('currency_in_use', { message });
}

function planContent(body: PlanUpdateBody): PlanUpdateBody {
  const { priceYearly, limits } = body;
  const hasYearly = priceYearly !== null && Object.keys(priceYearly).length > 0;
  return {
    // An empty map of monthly prices stays: it says 'paid' without a price, which is refused.
    ...body,
    displayName: filledTexts(body.displayName),
    description: filledTexts(body.description),
    priceYearly: hasYearly ? priceYearly : null,
    // 0 megabytes of video means that there is none.
    limits: limits.max_video_size_mb === 0 ? { ...limits, max_video_size_mb: null } : limits,
    features: filledLists(body.features),
  };
}

function isUnchanged(plan: Plan, content: PlanUpdateBody): boolean {
  const present: Record<string, unknown> = plan;
  return Object.entries(content).every(([name, value]) => isDeepStrictEqual(present[name], value));
}

function filledTexts(texts: LanguageText): LanguageText {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function filledLists(lists: Partial<Record<string, string[]>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(lists)
      .map(([language, lines = []]) => [language, lines.filter((line) => line !== '')] as const)
      .filter(([, lines]) => lines.length > 0),
  );
}

type PricedContent = Pick<PlanUpdateBody, 'name' | 'currency' | 'priceMonthly' | 'priceYearly'>;

function currencyCodes({ currency, priceMonthly, priceYearly }: PricedContent): string[] {
  const priced = [...Object.keys(priceMonthly ?? {}), ...Object.keys(priceYearly ?? {})];
  return [...new Set([currency, ...priced])];
}

/** The currencies are locked: else they could lose decimals, or be deactivated, meanwhile. */
function requireGoodPrices(
  tier: string,
  content: PricedContent,
  currencies: readonly Currency[],
): void {
  const byCode = new Map(currencies.map((currency) => [currency.code, currency]));
  const issues = [...priceIssues(tier, content, byCode)];
  const [first] = issues;
  if (first !== undefined) throw new AppError('invalid_input', { message: first.message, issues });
  requireActivePrice(content, currencies);
}

function requireActivePrice(
  { name, priceMonthly }: Pick<PricedContent, 'name' | 'priceMonthly'>,
  currencies: readonly Currency[],
): void {
  if (priceMonthly === null) return;
  const isSold = currencies.some(
    ({ code, isActive }) => isActive && Object.hasOwn(priceMonthly, code),
  );
  if (!isSold) throw withoutActivePrice([name]);
}

function* priceIssues(
  tier: string,
  { currency, priceMonthly, priceYearly }: PricedContent,
  byCode: ReadonlyMap<string, Currency>,
): Generator<Issue> {
  if (tier === 'FREE' && (priceMonthly !== null || priceYearly !== null)) {
    const path = priceMonthly === null ? 'priceYearly' : 'priceMonthly';
    yield { path, message: PLAN_MESSAGES.freeHasNoPrices };
  }
  if (priceMonthly === null ? priceYearly !== null : Object.keys(priceMonthly).length === 0) {
    yield { path: 'priceMonthly', message: PLAN_MESSAGES.priceRequired };
  }
  if (!byCode.has(currency)) {
    yield { path: 'currency', message: MONEY_MESSAGES.unknownCurrency(currency) };
  }
  for (const [field, prices] of Object.entries({ priceMonthly, priceYearly })) {
    for (const [code, amount] of Object.entries(prices ?? {})) {
      const message = priceProblem(code, byCode.get(code), decimalPlacesOf(amount));
      if (message !== null) yield { path: `${field}.${code}`, message };
    }
  }
}

export const planNoun = {
  topics: ['plans'],
  reversal: {
    read: (db, id) => createPlansService(db).get(id),
    // A plan is always written as a whole: what the entry does not name stays as it is.
    write(db, by, { id, version, state }, before) {
      const fields: Fields = { ...state, ...before };
      const names = Object.keys(planUpdateBody.shape);
      const body = Object.fromEntries(names.map((name) => [name, fields[name]]));
      return createPlansService(db).update(by, id, parsed(planUpdateBody, body), [version]);
    },
  },
  consequences: {
    async planDeactivate(db, id) {
      const { users, tickets } = await store.countHolders(db, id);
      const kept = counted(users, 'user has this plan and keeps', 'users have this plan and keep');
      const redeemed = counted(tickets, 'ticket for it can', 'tickets for it can');
      return [
        ...(users > 0 ? [`${kept} it.`] : []),
        ...(tickets > 0 ? [`${redeemed} still be redeemed.`] : []),
      ];
    },
  },
  found: {
    select: sql`
      select 'plan' as kind, p.id, coalesce(p.display_name ->> 'en', p.name) as title,
        p.name || ' · ' || p.tier as detail
      from plans p`,
    id: sql`p.id`,
  },
  file: () => () =>
    sql`
    select p.id, p.name, p.tier, p.display_name ->> 'en' as display_name, p.currency,
      ${pricesOf('monthly')} as monthly_prices, ${pricesOf('yearly')} as yearly_prices,
      p.is_active, p.is_visible, p.display_order, p.limits, p.created_at, p.updated_at
    from plans p order by p.display_order, p.id`,
} satisfies Noun;

function pricesOf(period: 'monthly' | 'yearly'): Sql {
  return sql`(
    select json_object_agg(currency_code, amount order by currency_code) from plan_prices
    where plan_id = p.id and period = ${period})`;
}
