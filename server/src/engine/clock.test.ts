import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createClock } from './clock.ts';

/** Readings as [database, asked, received]; the process's clock is at 100,000. */
const offsetAfter = (...readings: [number, number, number][]) => {
  vi.spyOn(Date, 'now').mockReturnValue(100_000);
  const clock = createClock(pino({ level: 'silent' }));
  for (const reading of readings) clock.learn(...reading);
  const offset = clock.now() - 100_000;
  vi.restoreAllMocks();
  return offset;
};

test('the clock is never ahead of the database, however long the reading took', () => {
  // The true offset is 0; the database was read at the very end of the round trip, or at its start.
  expect(offsetAfter([3_000, 0, 3_000])).toBe(-1);
  expect(offsetAfter([0, 0, 3_000])).toBe(-3_001);
});

test('a slow reading does not spoil a good one', () => {
  expect(offsetAfter([1_000, 999, 1_002], [5_000, 5_000, 8_000])).toBe(-3);
});

test('a clock that was set is followed at once', () => {
  expect(offsetAfter([1_000, 999, 1_002], [6_000, 16_000, 16_003])).toBe(-10_004);
});
