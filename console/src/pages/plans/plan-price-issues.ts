import { PLAN_MESSAGES, type Plan, priceProblem } from '@meridian/contract/plans';
import type { Issue } from '@meridian/contract/validation';
import { parseNumber, writtenDecimals } from '../../ui/number-text.ts';
import type { PlanValues } from './plan-values.ts';
import type { CurrenciesForPrices } from './use-currencies.ts';

type Currencies = Pick<CurrenciesForPrices, 'isKnown' | 'active'>;
type Period = 'priceMonthly' | 'priceYearly';

/** The finest there is: how many decimals a currency takes is judged in words of its own. */
const STEP = 0.0001;
const UNREADABLE = 'Write a price in digits, with a point before the decimals: 1000 or 4.90';

const isBlank = (text: string | undefined) => (text ?? '').trim() === '';

export const parsePrice = (text: string) => parseNumber(text, STEP);

/** Whether the form has another price in this currency than the plan. */
export function isRepriced(code: string, values: PlanValues, plan: Plan | undefined): boolean {
  return (['priceMonthly', 'priceYearly'] as const).some((period) => {
    const text = values[period][code] ?? '';
    return (isBlank(text) ? undefined : parsePrice(text)) !== plan?.[period]?.[code];
  });
}

/**
 * What can be said of the prices before they are sent, in the server's words. Which currencies are
 * active it alone knows for certain: it has the last word.
 */
export function priceIssues(values: PlanValues, currencies: Currencies): Issue[] {
  if (!values.isPaid) return [];
  return [
    ...missingIssues(values.priceMonthly, currencies),
    ...amountIssues('priceMonthly', values.priceMonthly, currencies),
    ...amountIssues('priceYearly', values.priceYearly, currencies),
  ];
}

function missingIssues(
  prices: PlanValues['priceMonthly'],
  { isKnown, active }: Currencies,
): Issue[] {
  const codes = isKnown ? active.map(({ code }) => code) : Object.keys(prices);
  const isPriced = codes.some((code) => !isBlank(prices[code]));
  return isPriced ? [] : [{ path: 'priceMonthly', message: PLAN_MESSAGES.priceRequired }];
}

function amountIssues(period: Period, prices: PlanValues[Period], { active }: Currencies): Issue[] {
  return active.flatMap((currency) => {
    const text = prices[currency.code] ?? '';
    if (isBlank(text)) return [];
    const message =
      parsePrice(text) === null
        ? UNREADABLE
        : priceProblem(currency.code, currency, writtenDecimals(text, STEP));
    return message === null ? [] : [{ path: `${period}.${currency.code}`, message }];
  });
}
