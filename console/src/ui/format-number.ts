import { LOCALE } from './locale.ts';
import { NOTHING } from './nothing.ts';

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
// Left out of pages that show no share.
const oneDecimal = /* @__PURE__ */ new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** 184306 -> '184,306' */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** The same, or the sign for nothing where a server did not say how many. */
export function countText(value: number | undefined): string {
  return value === undefined ? NOTHING : formatNumber(value);
}

/** A share between 0 and 1 with one decimal: 0.8204 -> '82.0%' */
export function formatPercent(share: number): string {
  return `${oneDecimal.format(share * 100)}%`;
}

/** 100 -> '100 MB', 1024 -> '1 GB'. Megabytes are what the limits are kept in. */
export function formatMegabytes(megabytes: number): string {
  if (Math.abs(megabytes) < 1024) return `${formatNumber(megabytes)} MB`;
  const gigabytes = megabytes / 1024;
  if (gigabytes < 1024) return `${formatNumber(gigabytes)} GB`;
  return `${formatNumber(gigabytes / 1024)} TB`;
}
