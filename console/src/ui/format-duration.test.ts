import { expect, test } from 'vitest';
import { formatDuration } from './format-duration.ts';

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1250, '1.3 s'],
  [-2000, '2 s'],
  [90_000, '1.5 min'],
  [5_400_000, '1.5 h'],
  [172_800_000, '2 d'],
])('%d ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
