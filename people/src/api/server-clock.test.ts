import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteServerTime, serverNow } from './server-clock.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['an hour ahead', 'Mon, 16 Nov 2026 11:00:00 GMT', '2026-11-16T11:00:00.000Z'],
  ['an hour behind', 'Mon, 16 Nov 2026 13:00:00 GMT', '2026-11-16T13:00:00.000Z'],
  ['off by what a response takes', 'Mon, 16 Nov 2026 11:59:35 GMT', '2026-11-16T12:00:00.000Z'],
  ['not told', null, '2026-11-16T12:00:00.000Z'],
  ['told in other words', 'noon', '2026-11-16T12:00:00.000Z'],
])('with a clock that is %s the time is that of the server', (_, date, expected) => {
  noteServerTime(date);
  expect(new Date(serverNow()).toISOString()).toBe(expected);
});
