import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import { startCounterTask } from './counter-task.ts';
import { DELTAS_MAX } from './counters.store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How often deltas are applied within a second when so many are found each time. */
async function timesInASecond(found: readonly number[]): Promise<number> {
  const left = [...found];
  const one = vi.fn<() => Promise<{ applied: number }>>(async () => ({
    applied: left.shift() ?? 0,
  }));
  // The task asks for nothing else.
  const db = { one } as Partial<Db> as Db;
  const task = startCounterTask(db, pino({ enabled: false }));
  await vi.advanceTimersByTimeAsync(1_000);
  await task.stop();
  return one.mock.calls.length;
}

test('while others keep changing posts, their deltas are applied once a second', async () => {
  expect(await timesInASecond([50, 50, 50])).toBe(1);
});

test('what one batch could not take is applied at once', async () => {
  expect(await timesInASecond([DELTAS_MAX, DELTAS_MAX, 20, 50])).toBe(3);
});
