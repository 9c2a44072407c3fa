import type { Currency } from '@meridian/contract/currencies';
import { decimalPlacesOf, decimalsOf } from '@meridian/contract/money';
import { PLAN_MESSAGES } from '@meridian/contract/plans';
import type { Plan } from '@meridian/contract/plans';
import { AppError } from '../../http/app-error.ts';
import type { Issue } from '../../http/app-error.ts';
import type { PlanContent, Prices } from './plan-content.ts';

type PricedContent = Pick<PlanContent, 'priceMonthly' | 'priceYearly'>;

/** Every currency that the prices name. */
export function priceCodes({ priceMonthly, priceYearly }: PricedContent): string[] {
  return [...new Set([...Object.keys(priceMonthly ?? {}), ...Object.keys(priceYearly ?? {})])];
}

/**
 * Refuses prices that the currencies they name do not allow. `stored` is the plan as it stands.
 * The currencies must be locked: else their decimals or their being active could change meanwhile.
 */
export function requireGoodPrices(
  content: PricedContent,
  currencies: readonly Currency[],
  stored: Plan | null,
): void {
  const byCode = new Map(currencies.map((currency) => [currency.code, currency]));
  const issues = [
    ...missingMonthlyPrice(content, byCode, stored),
    ...amountIssues('priceMonthly', content.priceMonthly, byCode),
    ...amountIssues('priceYearly', content.priceYearly, byCode),
  ];
  const [first] = issues;
  if (first !== undefined) throw new AppError('invalid_input', { message: first.message, issues });
}

type ByCode = ReadonlyMap<string, Currency>;

function amountIssues(field: keyof PricedContent, prices: Prices | null, byCode: ByCode): Issue[] {
  return Object.entries(prices ?? {}).flatMap(([code, amount]) => {
    const message = amountProblem(code, amount, byCode.get(code));
    return message === null ? [] : [{ path: `${field}.${code}`, message }];
  });
}

function amountProblem(code: string, amount: number, currency: Currency | undefined) {
  const name = code.toUpperCase();
  if (currency === undefined) return `There is no currency ${name}`;
  const places = decimalsOf(currency);
  if (decimalPlacesOf(amount) <= places) return null;
  if (places === 0) return `A price in ${name} cannot have decimal places`;
  return `A price in ${name} can have at most ${places} decimal ${places === 1 ? 'place' : 'places'}`;
}

/**
 * A currency may be deactivated under a plan's prices. Sending the very same monthly prices again
 * stays possible then, so that the rest of the plan can still be edited.
 */
function missingMonthlyPrice(content: PricedContent, byCode: ByCode, stored: Plan | null): Issue[] {
  const { priceMonthly, priceYearly } = content;
  const issue = { path: 'priceMonthly', message: PLAN_MESSAGES.priceRequired };
  // A plan without monthly prices is free, and a free plan has no yearly ones either.
  if (priceMonthly === null) return priceYearly === null ? [] : [issue];
  if (samePrices(priceMonthly, stored?.priceMonthly ?? null)) return [];
  const codes = Object.keys(priceMonthly);
  const isMissing = codes.some((code) => !byCode.has(code));
  const hasActive = codes.some((code) => byCode.get(code)?.isActive === true);
  // Of an unknown currency the reader hears already.
  return hasActive || isMissing ? [] : [issue];
}

function samePrices(a: Prices, b: Prices | null): boolean {
  if (b === null) return false;
  const codes = Object.keys(a);
  return codes.length === Object.keys(b).length && codes.every((code) => a[code] === b[code]);
}
