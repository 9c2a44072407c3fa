import type { Currency } from '@meridian/contract/currencies';
import { currenciesInOrder } from '../../components/display-order.ts';
import { oneOf } from '../../components/list/list-params.ts';

/** The tabs over the currencies, in the address as `?currencies=inactive`. */
export const CURRENCIES_PARAMS = { currencies: oneOf(['all', 'active', 'inactive'], 'all') };
type CurrencyTab = (typeof CURRENCIES_PARAMS)['currencies']['fallback'];

export const CURRENCY_TABS: readonly { value: CurrencyTab; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];

export function currenciesOf(tab: CurrencyTab, currencies: readonly Currency[]): Currency[] {
  const shown = currencies.filter(
    ({ isActive }) => tab === 'all' || isActive === (tab === 'active'),
  );
  return currenciesInOrder(shown);
}
