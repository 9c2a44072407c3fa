import { type Currency, CURRENCY_DEFAULTS } from '@meridian/contract/currencies';
import { parseNumber } from '../../ui/number-text.ts';

/** What stands in the fields: numbers as typed or chosen. */
export interface CurrencyValues {
  name: string;
  symbol: string;
  useDecimals: boolean;
  decimalPlaces: string;
  displayOrder: string;
  isActive: boolean;
}

export const NEW_CURRENCY_VALUES = {
  code: '',
  name: '',
  symbol: '',
  useDecimals: CURRENCY_DEFAULTS.useDecimals as boolean, // The constant is only ever true.
  decimalPlaces: String(CURRENCY_DEFAULTS.decimalPlaces),
  displayOrder: String(CURRENCY_DEFAULTS.displayOrder),
  isActive: CURRENCY_DEFAULTS.isActive as boolean, // As above.
};

export function valuesOfCurrency(currency: Currency): CurrencyValues {
  return {
    name: currency.name,
    symbol: currency.symbol,
    useDecimals: currency.useDecimals,
    decimalPlaces: String(currency.decimalPlaces),
    displayOrder: String(currency.displayOrder),
    isActive: currency.isActive,
  };
}

const LABELS: Readonly<Record<string, string>> = {
  code: 'Code',
  name: 'Name',
  symbol: 'Symbol',
  useDecimals: 'Use decimals',
  decimalPlaces: 'Decimal places',
  displayOrder: 'Display order',
  isActive: 'Active',
} satisfies Record<keyof typeof NEW_CURRENCY_VALUES, string>;

export const currencyLabel = (path: string) => LABELS[path] ?? path;

/** The body these fields mean. What is no number gets the contract's sentence about it. */
export function currencyInput<Values extends CurrencyValues>(values: Values) {
  return {
    ...values,
    decimalPlaces: parseNumber(values.decimalPlaces) ?? Number.NaN,
    displayOrder: parseNumber(values.displayOrder) ?? Number.NaN,
  };
}
