import { expect, test } from 'vitest';
import { slopeOf } from './slope.ts';

test.each([
  [
    [
      [0, 5],
      [1, 5],
      [2, 5],
    ],
    0,
  ],
  [
    [
      [10, 100],
      [11, 100.5],
      [12, 101],
    ],
    0.5,
  ],
  [
    [
      [0, 3],
      [1, 1],
      [2, 2],
    ],
    -0.5,
  ],
  [[[4, 7]], 0],
] as const)('%o rises by %d', (points, slope) => {
  expect(slopeOf(points)).toBeCloseTo(slope);
});
