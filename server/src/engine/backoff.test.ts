import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

const waits = (chance: number) =>
  [0, 1, 2, 3, 4, 5, 6, 1000].map((failures) => backoffMs(failures, () => chance) / 1000);

test('2, 5, 15, 45, 120 and from then on 300 seconds, a fifth more or less', () => {
  expect(waits(0.5)).toEqual([2, 5, 15, 45, 120, 300, 300, 300]);
  expect(waits(0)).toEqual([1.6, 4, 12, 36, 96, 240, 240, 240]);
  expect(waits(1)).toEqual([2.4, 6, 18, 54, 144, 360, 360, 360]);
});
