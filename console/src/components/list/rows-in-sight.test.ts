import { expect, test } from 'vitest';
import { rowsInSight } from './rows-in-sight.ts';

test.each([
  [900, 13],
  [1440, 22],
  [190, 1],
  [0, 1],
])('a window of %d px shows at most %d rows', (height, count) => {
  expect(rowsInSight(height)).toBe(count);
});
