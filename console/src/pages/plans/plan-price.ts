import { LOCALE } from '../../ui/locale.ts';
import { NOTHING } from '../../ui/nothing.ts';

const dollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
  // A currency has up to four: rounding would show a wrong price.
  maximumFractionDigits: 4,
});

type Prices = Readonly<Record<string, number>> | null;

/** '$4.90', or '–' for a plan without this price in US dollars. */
export function usdPriceText(prices: Prices): string {
  const amount = prices?.['usd'];
  return amount === undefined ? NOTHING : dollars.format(amount);
}
