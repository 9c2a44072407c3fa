import type { Currency } from '@meridian/contract/currencies';
import { decimalPlacesOf, priceProblem } from '@meridian/contract/money';
import { PLAN_MESSAGES } from '@meridian/contract/plans';
import { AppError } from '../../http/app-error.ts';
import type { Issue } from '../../http/app-error.ts';
import type { PlanContent, Prices } from './plan-content.ts';

type PricedContent = Pick<PlanContent, 'priceMonthly' | 'priceYearly'>;

/** Every currency that the prices name. */
export function priceCodes({ priceMonthly, priceYearly }: PricedContent): string[] {
  return [...new Set([...Object.keys(priceMonthly ?? {}), ...Object.keys(priceYearly ?? {})])];
}

/**
 * Refuses prices that the currencies they name do not allow. The currencies must be locked: else
 * their decimals or their being active could change meanwhile.
 */
export function requireGoodPrices(content: PricedContent, currencies: readonly Currency[]): void {
  const byCode = new Map(currencies.map((currency) => [currency.code, currency]));
  const issues = [
    ...missingMonthlyPrice(content, byCode),
    ...amountIssues('priceMonthly', content.priceMonthly, byCode),
    ...amountIssues('priceYearly', content.priceYearly, byCode),
  ];
  const [first] = issues;
  if (first !== undefined) throw new AppError('invalid_input', { message: first.message, issues });
}

type ByCode = ReadonlyMap<string, Currency>;

function amountIssues(field: keyof PricedContent, prices: Prices | null, byCode: ByCode): Issue[] {
  return Object.entries(prices ?? {}).flatMap(([code, amount]) => {
    const message = priceProblem(code, byCode.get(code), decimalPlacesOf(amount));
    return message === null ? [] : [{ path: `${field}.${code}`, message }];
  });
}

/** A currency may be deactivated under a plan's prices; whoever then edits the plan settles that. */
function missingMonthlyPrice(content: PricedContent, byCode: ByCode): Issue[] {
  const { priceMonthly, priceYearly } = content;
  const issue = { path: 'priceMonthly', message: PLAN_MESSAGES.priceRequired };
  // A plan without monthly prices is free, and a free plan has no yearly ones either.
  if (priceMonthly === null) return priceYearly === null ? [] : [issue];
  const codes = Object.keys(priceMonthly);
  const isMissing = codes.some((code) => !byCode.has(code));
  const hasActive = codes.some((code) => byCode.get(code)?.isActive === true);
  // Of an unknown currency the reader hears already.
  return hasActive || isMissing ? [] : [issue];
}
