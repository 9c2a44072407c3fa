import { LOCALE } from './locale.ts';

const FORM = { dateStyle: 'medium', timeStyle: 'short' } as const;

// Made once: creating a formatter costs a hundred times what using it does.
const inBrowserZone = new Intl.DateTimeFormat(LOCALE, FORM);
const inUtc = new Intl.DateTimeFormat(LOCALE, { ...FORM, timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' });

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** '14 Nov 2026, 21:00', in the browser's time zone. */
export function formatDateTime(date: Date): string {
  // '6:11' and 'PM' are one word, wherever the line may break.
  const text = inBrowserZone.format(date).replace(/\s(?=[ap]m$)/i, '\u00a0');
  return isTwice(date) ? `${text} ${zoneOf(date)}` : text;
}

/** Clocks are set back by an hour; by half of one on Lord Howe Island. */
const SHIFTS_MS = [-60, -30, 30, 60].map((minutes) => minutes * 60_000);

/** In the night when the clock is set back, it shows the same time again. */
function isTwice(date: Date): boolean {
  const ms = date.getTime();
  return SHIFTS_MS.some((shift) => onClock(ms + shift) === onClock(ms));
}

const onClock = (ms: number) => ms - new Date(ms).getTimezoneOffset() * 60_000;

/** 'GMT+2' */
function zoneOf(date: Date): string {
  const parts = new Intl.DateTimeFormat(LOCALE, { timeZoneName: 'short' }).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** '14 Nov 2026, 20:00 UTC' */
export function formatUtc(date: Date): string {
  return `${inUtc.format(date)} UTC`;
}

/** 'in 3 hours', '2 days ago', 'now'. The largest unit that still makes a whole. */
export function formatRelative(date: Date, now: Date): string {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000);
  for (const [unit, length] of UNITS) {
    const count = Math.round(seconds / length);
    if (Math.abs(seconds) >= length && count !== 0) return relative.format(count, unit);
  }
  return Math.abs(seconds) < 10 ? 'now' : relative.format(seconds, 'second');
}

/** Undefined for what is no time at all. */
export function parseTime(value: string | null | undefined): Date | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
