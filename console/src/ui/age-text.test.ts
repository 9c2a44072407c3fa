import { expect, test } from 'vitest';
import { ageText } from './age-text.ts';

test.each([
  [0, 'just now'],
  [999, 'just now'],
  [1_000, '1 s ago'],
  [59_999, '59 s ago'],
  [60_000, '1 min ago'],
  [3_599_999, '59 min ago'],
  [7_200_000, '2 h ago'],
])('%i ms are %s', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});
