import { expect, test } from 'vitest';
import { median, separability } from './separability.ts';

test.each([
  ['kinds that never overlap', [1, 2, 3], [4, 5, 6], 1],
  ['the same, the other way round', [4, 5, 6], [1, 2, 3], 1],
  ['the same times', [1, 2, 3], [1, 2, 3], 0.5],
  ['one time of four on the wrong side', [1, 2, 3, 7], [4, 5, 6, 8], 0.875],
  ['kinds of different number', [1, 2], [3, 4, 5, 6], 1],
])('%s', (_, one, other, expected) => {
  expect(separability(one, other)).toBeCloseTo(expected);
});

test('the one in the middle, or between the two', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 9, 2])).toBe(3);
});
