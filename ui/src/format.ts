/**
 * The console speaks English. An English browser keeps its own habits of date and number; any
 * other gets day before month, spelled out, which cannot be misread.
 */
export function pickLocale(preferred: string | undefined): string {
  return preferred !== undefined && /^en\b/i.test(preferred) ? preferred : 'en-GB';
}

export const LOCALE = pickLocale(typeof navigator === 'undefined' ? undefined : navigator.language);

export const NOTHING = '–';

// Creating a formatter costs a hundred times what using it does.
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
// Left out of pages that show no share.
const oneDecimal = /* @__PURE__ */ new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export function formatNumber(value: number): string {
  return whole.format(value);
}

export const countText = (value: number | undefined) =>
  value === undefined ? NOTHING : formatNumber(value);

export const formatPercent = (share: number) => `${oneDecimal.format(share * 100)}%`;

export function formatMegabytes(megabytes: number): string {
  if (Math.abs(megabytes) < 1024) return `${formatNumber(megabytes)} MB`;
  const gigabytes = megabytes / 1024;
  if (gigabytes < 1024) return `${formatNumber(gigabytes)} GB`;
  return `${formatNumber(gigabytes / 1024)} TB`;
}

const FORM = { dateStyle: 'medium', timeStyle: 'short' } as const;

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

/** The time of day in the browser's zone, as if it were UTC. */
const onClock = (ms: number) => ms - new Date(ms).getTimezoneOffset() * 60_000;

function zoneOf(date: Date): string {
  const parts = new Intl.DateTimeFormat(LOCALE, { timeZoneName: 'short' }).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

export const formatUtc = (date: Date) => `${inUtc.format(date)} UTC`;

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

const DURATION_UNITS: readonly [unit: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

export function formatDuration(ms: number): string {
  const size = Math.abs(ms);
  const [unit, length] = DURATION_UNITS.find(([, least]) => size >= least) ?? ['ms', 1];
  const value = size / length;
  return `${formatNumber(length === 1 ? Math.round(value) : Math.round(value * 10) / 10)} ${unit}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function ageText(ms: number): string {
  if (ms < 1_000) return 'just now';
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1_000)} s ago`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  return `${Math.floor(ms / HOUR_MS)} h ago`;
}

/** With an end in sight the browser asks for a year of four digits. */
export const LATEST_LOCAL_TIME = '2099-12-31T23:59';
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** '2026-11-14T21:00' in the browser's zone, as its own field for dates and times has it. */
export function localTimeText(date: Date): string {
  return new Date(onClock(date.getTime())).toISOString().slice(0, LATEST_LOCAL_TIME.length);
}
