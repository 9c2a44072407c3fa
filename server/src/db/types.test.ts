import { expect, test } from 'vitest';
import { parseTimestamp } from './types.ts';

test.each([
  ['2026-11-15 02:36:45+00', '2026-11-15T02:36:45.000Z'],
  ['2026-11-15 02:36:45.1+00', '2026-11-15T02:36:45.100Z'],
  ['2026-11-15 02:36:45.123999+00', '2026-11-15T02:36:45.123Z'],
  ['2026-11-15 11:36:45.5+09', '2026-11-15T02:36:45.500Z'],
  ['2026-11-15 08:06:45.123456+05:30', '2026-11-15T02:36:45.123Z'],
  ['2026-11-14 23:06:45-03:30', '2026-11-15T02:36:45.000Z'],
])('%s is %s', (text, iso) => {
  expect(parseTimestamp(text)).toBe(iso);
});

test('an instant without end cannot be written and is not', () => {
  expect(() => parseTimestamp('infinity')).toThrow(RangeError);
});
