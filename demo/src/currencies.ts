import { newId } from './ids.ts';
import { createRandom } from './random.ts';
import { iso } from './times.ts';

const CURRENCIES = [
  { code: 'usd', name: 'US Dollar', symbol: '$', decimal_places: 2, is_active: true },
  { code: 'eur', name: 'Euro', symbol: '€', decimal_places: 2, is_active: true },
  { code: 'jpy', name: 'Japanese Yen', symbol: '¥', decimal_places: 0, is_active: true },
  { code: 'gbp', name: 'Pound Sterling', symbol: '£', decimal_places: 2, is_active: false },
];

export function makeCurrencies(createdAt: number) {
  const random = createRandom('currencies');
  return CURRENCIES.map(({ code, name, symbol, decimal_places, is_active }, index) => ({
    id: newId(random, createdAt),
    code,
    name,
    symbol,
    use_decimals: decimal_places > 0,
    decimal_places,
    display_order: index * 10,
    is_active,
    created_at: iso(createdAt),
    updated_at: iso(createdAt),
  }));
}
