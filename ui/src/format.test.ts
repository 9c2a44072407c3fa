import { afterEach, expect, test, vi } from 'vitest';
import {
  ageText,
  formatDuration,
  formatRelative,
  formatUtc,
  parseTime,
  pickLocale,
} from './format.ts';

const now = new Date('2026-11-14T17:42:00.000Z');

function after(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

test.each([
  [0, 'now'],
  [9, 'now'],
  [-30, '30 seconds ago'],
  [60, 'in 1 minute'],
  [-59 * 60, '59 minutes ago'],
  [3 * 3600, 'in 3 hours'],
  [3 * 3600 + 60, 'in 3 hours'],
  [23.6 * 3600, 'in 24 hours'],
  [-2 * 86_400, '2 days ago'],
  [8 * 86_400, 'in 1 week'],
  [45 * 86_400, 'in 1 month'],
  [-800 * 86_400, '2 years ago'],
])('%d seconds from now is %j', (seconds, expected) => {
  expect(formatRelative(after(seconds), now)).toBe(expected);
});

test('UTC is named as such', () => {
  expect(formatUtc(new Date('2026-11-14T20:00:00.000Z'))).toMatch(/2026.*(20:00|8:00).*UTC$/);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test.each([
  ['Europe/Berlin', '2026-10-25T00:30Z', 'Oct 25, 2026, 2:30 AM GMT+2'],
  ['Europe/Berlin', '2026-10-25T01:30Z', 'Oct 25, 2026, 2:30 AM GMT+1'],
  ['Europe/Berlin', '2026-10-24T23:59Z', 'Oct 25, 2026, 1:59 AM'],
  ['Europe/Berlin', '2026-10-25T02:00Z', 'Oct 25, 2026, 3:00 AM'],
  ['Europe/Berlin', '2027-03-28T01:00Z', 'Mar 28, 2027, 3:00 AM'],
  ['America/New_York', '2026-11-01T05:30Z', 'Nov 1, 2026, 1:30 AM EDT'],
  ['Australia/Lord_Howe', '2027-04-03T14:45Z', 'Apr 4, 2027, 1:45 AM GMT+11'],
  ['Australia/Lord_Howe', '2027-04-03T15:15Z', 'Apr 4, 2027, 1:45 AM GMT+10:30'],
  ['Pacific/Apia', '2027-04-03T14:00Z', 'Apr 4, 2027, 3:00 AM'],
])('in %s %s is %j', async (zone, time, expected) => {
  vi.stubEnv('TZ', zone);
  vi.stubGlobal('navigator', { language: 'en-US' });
  vi.resetModules();
  const { formatDateTime } = await import('./format.ts');
  expect(formatDateTime(new Date(time)).replace('\u00a0', ' ')).toBe(expected);
});

test.each([
  ['2026-11-14T20:00:00.000Z', 1_794_686_400_000],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  ['tomorrow', undefined],
])('parseTime(%j)', (value, expected) => {
  expect(parseTime(value)?.getTime()).toBe(expected);
});

test.each([
  ['en-US', 'en-US'],
  ['en', 'en'],
  ['EN-au', 'EN-au'],
  ['de-DE', 'en-GB'],
  ['enm', 'en-GB'],
  [undefined, 'en-GB'],
])('a browser of %j reads in %j', (preferred, expected) => {
  expect(pickLocale(preferred)).toBe(expected);
});

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1250, '1.3 s'],
  [-2000, '2 s'],
  [90_000, '1.5 min'],
  [5_400_000, '1.5 h'],
  [172_800_000, '2 d'],
])('%d ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, 'just now'],
  [999, 'just now'],
  [1_000, '1 s ago'],
  [59_999, '59 s ago'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [7_200_000, '2 h ago'],
])('%i ms are %s', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});
