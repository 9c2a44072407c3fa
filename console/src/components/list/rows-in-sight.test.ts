import { expect, test } from 'vitest';
import { rowsInSight } from './rows-in-sight.ts';

test.each([
  [1440, 900, 12],
  [2560, 1440, 22],
  [768, 1024, 8],
  [360, 740, 5],
  [1440, 190, 1],
  [0, 0, 1],
])('a window of %d by %d px shows at most %d rows', (width, height, count) => {
  expect(rowsInSight(width, height)).toBe(count);
});
