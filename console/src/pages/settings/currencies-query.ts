import type { Currency } from '@meridian/contract/currencies';
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
  return currencies.filter(({ isActive }) => tab === 'all' || isActive === (tab === 'active'));
}
