import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import { BATCH, startCounterTask } from './counters.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How often deltas are applied at the first interval and within the half second after it, finding so many. */
async function timesApplied(found: readonly number[]): Promise<number[]> {
  const left = [...found];
  const one = vi.fn<() => Promise<{ applied: number }>>(async () => ({
    applied: left.shift() ?? 0,
  }));
  // The task asks for nothing else.
  const db = { one } as Partial<Db> as Db;
  const task = startCounterTask(db, pino({ enabled: false }));
  await vi.advanceTimersByTimeAsync(1_000);
  const atOnce = one.mock.calls.length;
  await vi.advanceTimersByTimeAsync(500);
  await task.stop();
  return [atOnce, one.mock.calls.length];
}

test('while others keep changing posts, their deltas are applied once a second', async () => {
  expect(await timesApplied([50, 50, 50])).toEqual([1, 1]);
});

test('what one batch could not take is applied soon, after a pause', async () => {
  expect(await timesApplied([BATCH, BATCH, 20, 50])).toEqual([1, 3]);
});
