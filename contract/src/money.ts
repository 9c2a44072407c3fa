/** How many decimal places a number is written with: 9.99 -> 2, 1e-7 -> 7. */
export function decimalPlacesOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const written = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, written - Number(exponent));
}

type CurrencyDecimals = { useDecimals: boolean; decimalPlaces: number };

/** The decimal places an amount in this currency may have. */
export function decimalsOf(currency: CurrencyDecimals): number {
  return currency.useDecimals ? currency.decimalPlaces : 0;
}

/** The step of a price input: 1 without decimals, 0.01 with two. */
export function priceStep(currency: CurrencyDecimals): number {
  return Number((10 ** -decimalsOf(currency)).toFixed(decimalsOf(currency)));
}
