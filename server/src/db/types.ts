import { types } from 'pg';
import type { CustomTypesConfig } from 'pg';

const INT8 = 20;
const TEXT_ARRAY: number = 1009;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

/** The farthest from 1970 that a Date reaches. */
export const LAST_INSTANT_MS = 8.64e15;

/** `2026-11-15 02:36:45.123456+00` to `2026-11-15T02:36:45.123Z`, without a detour over Date. */
export function parseTimestamp(text: string): string {
  if (!text.endsWith('+00') || text[10] !== ' ') return parseInOtherZone(text);
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/** The same, exact to the microsecond. */
export function parseExactTimestamp(text: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  return `${parseTimestamp(text).slice(0, -1)}${fraction.padEnd(6, '0').slice(3)}Z`;
}

/** The session's zone may be any: `… 08:06:45+05:30`, `… 11:36:45+09`; the year too: `12026-…`, `… BC`. */
function parseInOtherZone(text: string): string {
  const [, year, rest = '', isBc] = /^(\d+)(-\d\d-\d\d .*?)( BC)?$/.exec(text) ?? [];
  const iso = `${isoYear(Number(year), isBc !== undefined)}${rest.replace(' ', 'T')}`;
  const instant = new Date(iso.replace(/([+-]\d\d)$/, '$1:00')).getTime();
  // PostgreSQL has later instants than Date, and two without an end: one such row must not make a list
  // or a claim fail.
  const nearest = text.startsWith('-') ? -LAST_INSTANT_MS : LAST_INSTANT_MS;
  return new Date(Number.isNaN(instant) ? nearest : instant).toISOString();
}

/** 1 BC is the year 0 of ISO 8601. */
function isoYear(year: number, isBc: boolean): string {
  const sign = isBc && year > 1 ? '-' : '+';
  return `${sign}${String(isBc ? year - 1 : year).padStart(6, '0')}`;
}

function parseInt8(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

// oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum names only some of the type ids
const parseAnyTextArray = types.getTypeParser(TEXT_ARRAY);

/** `{en,de}`, where the driver's parser would look at each character, for every row of a list. */
export function parseTextArray(text: string): unknown {
  const isPlain = /^\{[\w,-]*\}$/.test(text) && !/\bNULL\b/i.test(text);
  if (!isPlain) return parseAnyTextArray(text);
  return text === '{}' ? [] : text.slice(1, -1).split(',');
}

/** How columns arrive: instants as ISO 8601 UTC text, counts as numbers, exact decimals as text. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === TIMESTAMPTZ) return parseTimestamp;
    if (oid === INT8) return parseInt8;
    if (oid === TEXT_ARRAY && format !== 'binary') return parseTextArray;
    if (oid === DATE) return String;
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum names only some of the type ids
    return types.getTypeParser(oid, format);
  },
};
