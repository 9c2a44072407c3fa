import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createClock, ownTime } from './heartbeat.ts';

/** Readings as [database, asked, received]. */
const offsetAfter = (...readings: [number, number, number][]) => {
  vi.spyOn(performance, 'now').mockReturnValue(100_000);
  const clock = createClock(pino({ level: 'silent' }));
  for (const reading of readings) clock.learn(...reading);
  const offset = Math.round(clock.now() - ownTime());
  vi.restoreAllMocks();
  return offset;
};

test('the clock is never ahead of the database, however long the reading took', () => {
  // The true offset is 0; the database was read at the very end of the round trip, or at its start.
  expect(offsetAfter([3_000, 0, 3_000])).toBe(0);
  expect(offsetAfter([0, 0, 3_000])).toBe(-3_000);
});

test('a slow reading does not spoil a good one', () => {
  expect(offsetAfter([1_000, 999, 1_002], [5_000, 5_000, 8_000])).toBe(-2);
});

test('a clock that was set is followed at once', () => {
  expect(offsetAfter([1_000, 999, 1_002], [6_000, 16_000, 16_003])).toBe(-10_003);
});

test('the clock goes on evenly when that of the machine is set', () => {
  const clock = createClock(pino({ level: 'silent' }));
  const before = clock.now();
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  expect([clock.now() - before < 60_000, clock.offMs()]).toEqual([true, expect.any(Number)]);
  vi.restoreAllMocks();
  expect(clock.offMs()).toBeNull();
});

test.each([
  [10_000, '10 s behind'],
  [-10_000, '10 s ahead of'],
])('a clock that is off by %s ms is an error once, and says what to do', (offsetMs, words) => {
  const lines: string[] = [];
  const clock = createClock(pino({ level: 'info' }, { write: (line) => lines.push(line) }));
  const read = (ms: number) => clock.learn(Date.now() + ms, ownTime(), ownTime());
  for (const ms of [0, offsetMs, offsetMs]) read(ms);
  expect(clock.offMs()).toBeCloseTo(offsetMs, -2);
  read(0);
  expect(clock.offMs()).toBeNull();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 50,
      msg: `The clock of this machine is ${words} that of the database: this engine publishes nothing until it is set`,
    },
  ]);
});

test('a moment that passes while it is waited for asks for no negative time', async () => {
  // The process is paused for half a second after each look at the clock.
  let at = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (at += 500));
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const clock = createClock(pino({ level: 'silent' }));
  await clock.until(clock.now() + 600, new AbortController().signal);
  const waits = timers.mock.calls.map(([, ms]) => ms ?? 0);
  vi.restoreAllMocks();
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
});
