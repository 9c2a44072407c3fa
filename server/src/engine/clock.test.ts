import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createClock } from './clock.ts';

/** The offsets of the clock after these samples: database time, asked at, received at. */
function offsetsAfter(...samples: [number, number, number][]): number[] {
  const clock = createClock(createLog('silent'));
  return samples.map(([databaseMs, askedAt, receivedAt]) => {
    clock.learn(databaseMs, askedAt, receivedAt);
    return Math.round((clock.now() - Date.now()) / 10) * 10;
  });
}

test('a slow round trip between equal clocks changes nothing', () => {
  expect(offsetsAfter([1_900, 1_000, 2_000], [5_010, 5_000, 9_000])).toEqual([0, 0]);
});

test('a clock that differs is learned within the round trip, and better by a faster one', () => {
  expect(offsetsAfter([2_000, 1_000, 1_200], [3_010, 2_000, 2_020])).toEqual([900, 1_000]);
});
