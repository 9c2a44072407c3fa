import { expect, test } from 'vitest';
import { retryTime } from './pds.ts';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const inSeconds = (seconds: number) => NOW / 1_000 + seconds;

test.each([
  { status: 429, headers: { 'ratelimit-reset': String(inSeconds(90)) }, seconds: 90 },
  { status: 429, headers: { 'retry-after': '30' }, seconds: 30 },
  { status: 503, headers: { 'retry-after': 'Mon, 16 Nov 2026 12:01:00 GMT' }, seconds: 60 },
  {
    status: 429,
    headers: { 'ratelimit-reset': String(inSeconds(90)), 'retry-after': '30' },
    seconds: 90,
  },
  // Every response of a PDS names the reset of its limits; only a refusal by them means it.
  { status: 400, headers: { 'ratelimit-reset': String(inSeconds(90)) }, seconds: null },
  { status: 429, headers: {}, seconds: null },
  { status: 429, headers: { 'ratelimit-reset': 'soon', 'retry-after': '-5' }, seconds: null },
  { status: 429, headers: { 'ratelimit-reset': String(inSeconds(-5)) }, seconds: null },
  { status: 429, headers: { 'retry-after': '9'.repeat(400) }, seconds: 86_400 },
])('$status with $headers is repeated after $seconds s', ({ status, headers, seconds }) => {
  const expected = seconds === null ? null : new Date(NOW + seconds * 1_000);
  expect(retryTime(status, headers, NOW)).toEqual(expected);
});
