import { isDeepStrictEqual } from 'node:util';
import type { Currency } from '@meridian/contract/currencies';
import type { LanguageText } from '@meridian/contract/languages';
import { decimalPlacesOf, MONEY_MESSAGES, priceProblem } from '@meridian/contract/money';
import type { PlanLimitsInput } from '@meridian/contract/plan-limits';
import { PLAN_MESSAGES } from '@meridian/contract/plans';
import type { Plan, PlanUpdateBody } from '@meridian/contract/plans';
import { AppError } from '../../http/app-error.ts';
import type { Issue } from '../../http/app-error.ts';

/** A sentence stays readable however many plans it is about. */
const SHOWN_NAMES = 10;

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Paid plans, by their internal names. The issue shows it at the field of a form. */
export function withoutActivePrice(names: readonly string[]): AppError {
  const message = `These plans have no monthly price in an active currency: ${listed(names)}. Add a price or activate a currency first`;
  return new AppError('plan_price_inactive', {
    message,
    issues: [{ path: 'priceMonthly', message }],
  });
}

/** A currency cannot be deactivated while these plans need it. */
export function currencyInUse(plans: readonly string[]): AppError {
  const message = `These active plans are priced only in this currency: ${listed(plans)}. Add another price or deactivate them first`;
  return new AppError('currency_in_use', { message });
}

/** The part of a plan that can be changed, as it is stored. */
export type PlanContent = PlanUpdateBody;
type Prices = NonNullable<PlanContent['priceMonthly']>;

export function planContent(body: PlanUpdateBody): PlanContent {
  const { priceYearly } = body;
  const hasYearly = priceYearly !== null && Object.keys(priceYearly).length > 0;
  return {
    // An empty map of monthly prices stays: it says 'paid' without a price, which is refused.
    ...body,
    displayName: filledTexts(body.displayName),
    description: filledTexts(body.description),
    priceYearly: hasYearly ? priceYearly : null,
    limits: storedLimits(body.limits),
    features: filledLists(body.features),
  };
}

/** Writing the content would change nothing about the plan. */
export function isUnchanged(plan: Plan, content: PlanContent): boolean {
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

/** 0 megabytes of video means that there is none. */
function storedLimits(limits: PlanLimitsInput): PlanLimitsInput {
  return limits.max_video_size_mb === 0 ? { ...limits, max_video_size_mb: null } : limits;
}

type PricedContent = Pick<PlanContent, 'name' | 'currency' | 'priceMonthly' | 'priceYearly'>;

/** Every currency that the plan names. */
export function currencyCodes({ currency, priceMonthly, priceYearly }: PricedContent): string[] {
  const priced = [...Object.keys(priceMonthly ?? {}), ...Object.keys(priceYearly ?? {})];
  return [...new Set([currency, ...priced])];
}

/**
 * Refuses prices that the tier or the currencies they name do not allow. The currencies must be
 * locked: else their decimals or their being active could change meanwhile.
 */
export function requireGoodPrices(
  tier: string,
  content: PricedContent,
  currencies: readonly Currency[],
): void {
  const byCode = new Map(currencies.map((currency) => [currency.code, currency]));
  const issues = [
    ...freeWithPrices(tier, content),
    ...missingMonthlyPrice(content),
    ...unknownCurrency(content, byCode),
    ...amountIssues('priceMonthly', content.priceMonthly, byCode),
    ...amountIssues('priceYearly', content.priceYearly, byCode),
  ];
  const [first] = issues;
  if (first !== undefined) throw new AppError('invalid_input', { message: first.message, issues });
  requireActivePrice(content, currencies);
}

/** A plan that is paid has a monthly price in a currency that is active. */
export function requireActivePrice(
  { name, priceMonthly }: Pick<PricedContent, 'name' | 'priceMonthly'>,
  currencies: readonly Currency[],
): void {
  if (priceMonthly === null) return;
  const isSold = currencies.some(
    ({ code, isActive }) => isActive && Object.hasOwn(priceMonthly, code),
  );
  if (!isSold) throw withoutActivePrice([name]);
}

type ByCode = ReadonlyMap<string, Currency>;

function unknownCurrency({ currency }: PricedContent, byCode: ByCode): Issue[] {
  if (byCode.has(currency)) return [];
  return [{ path: 'currency', message: MONEY_MESSAGES.unknownCurrency(currency) }];
}

function freeWithPrices(tier: string, { priceMonthly, priceYearly }: PricedContent): Issue[] {
  if (tier !== 'FREE' || (priceMonthly === null && priceYearly === null)) return [];
  const path = priceMonthly === null ? 'priceYearly' : 'priceMonthly';
  return [{ path, message: PLAN_MESSAGES.freeHasNoPrices }];
}

function amountIssues(
  field: 'priceMonthly' | 'priceYearly',
  prices: Prices | null,
  byCode: ByCode,
): Issue[] {
  return Object.entries(prices ?? {}).flatMap(([code, amount]) => {
    const message = priceProblem(code, byCode.get(code), decimalPlacesOf(amount));
    return message === null ? [] : [{ path: `${field}.${code}`, message }];
  });
}

/** Without monthly prices a plan is not paid, and then it has no yearly ones either. */
function missingMonthlyPrice({ priceMonthly, priceYearly }: PricedContent): Issue[] {
  const isMissing =
    priceMonthly === null ? priceYearly !== null : Object.keys(priceMonthly).length === 0;
  return isMissing ? [{ path: 'priceMonthly', message: PLAN_MESSAGES.priceRequired }] : [];
}
