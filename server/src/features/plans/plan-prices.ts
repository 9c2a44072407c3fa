import type { Currency } from '@meridian/contract/currencies';
import { decimalPlacesOf, MONEY_MESSAGES, priceProblem } from '@meridian/contract/money';
import { PLAN_MESSAGES } from '@meridian/contract/plans';
import { AppError } from '../../http/app-error.ts';
import type { Issue } from '../../http/app-error.ts';
import { withoutActivePrice } from './active-price.ts';
import type { PlanContent, Prices } from './plan-content.ts';

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
