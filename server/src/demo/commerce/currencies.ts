import { newId } from '../identifiers.ts';
import { createRandom } from '../random.ts';
import type { CurrencyRow } from '../rows.ts';
import { iso } from '../times.ts';

type Money = Pick<
  CurrencyRow,
  'code' | 'name' | 'symbol' | 'use_decimals' | 'decimal_places' | 'display_order' | 'is_active'
>;

const CURRENCIES: readonly Money[] = [
  {
    code: 'usd',
    name: 'US Dollar',
    symbol: '$',
    use_decimals: true,
    decimal_places: 2,
    display_order: 0,
    is_active: true,
  },
  {
    code: 'eur',
    name: 'Euro',
    symbol: '€',
    use_decimals: true,
    decimal_places: 2,
    display_order: 10,
    is_active: true,
  },
  {
    code: 'jpy',
    name: 'Japanese Yen',
    symbol: '¥',
    use_decimals: false,
    decimal_places: 0,
    display_order: 20,
    is_active: true,
  },
  {
    code: 'gbp',
    name: 'Pound Sterling',
    symbol: '£',
    use_decimals: true,
    decimal_places: 2,
    display_order: 30,
    is_active: false,
  },
];

export function makeCurrencies(createdAt: number): CurrencyRow[] {
  const random = createRandom('currencies');
  const stamps = { created_at: iso(createdAt), updated_at: iso(createdAt) };
  return CURRENCIES.map((currency) =>
    Object.assign({ id: newId(random, createdAt) }, currency, stamps),
  );
}
