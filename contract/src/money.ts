/** How many decimal places a number is written with: 9.99 -> 2, 1e-7 -> 7. */
export function decimalPlacesOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const written = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, written - Number(exponent));
}

type CurrencyDecimals = { useDecimals: boolean; decimalPlaces: number };

export const MONEY_MESSAGES = {
  unknownCurrency: (code: string) => `There is no currency ${code.toUpperCase()}`,
  decimals: (code: string, places: number) =>
    places === 0
      ? `A price in ${code.toUpperCase()} cannot have decimal places`
      : `A price in ${code.toUpperCase()} can have at most ${places} decimal ${places === 1 ? 'place' : 'places'}`,
} as const;

/** The decimal places an amount in this currency may have. */
export function decimalsOf(currency: CurrencyDecimals): number {
  return currency.useDecimals ? currency.decimalPlaces : 0;
}

/** What is wrong with a price of so many decimal places in this currency; null when nothing is. */
export function priceProblem(
  code: string,
  currency: CurrencyDecimals | undefined,
  places: number,
): string | null {
  if (currency === undefined) return MONEY_MESSAGES.unknownCurrency(code);
  const allowed = decimalsOf(currency);
  return places <= allowed ? null : MONEY_MESSAGES.decimals(code, allowed);
}

/** The step of a price input: 1 without decimals, 0.01 with two. */
export function priceStep(currency: CurrencyDecimals): number {
  return Number((10 ** -decimalsOf(currency)).toFixed(decimalsOf(currency)));
}
