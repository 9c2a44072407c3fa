import { expect, test } from 'vitest';
import { canonicalUsername } from './username.ts';

test.each([
  ['admin', 'admin'],
  ['  Admin ', 'admin'],
  ['ＡＤＭＩＮ', 'admin'],
  ['Ana María', 'ana maría'],
  ['', null],
  ['   ', null],
  ['ad\u0000min', null],
  ['ad\u200bmin', null],
  ['\u202eadmin', null],
  ['a\nb', null],
  ['x'.repeat(65), null],
])('%j is %j', (input, name) => {
  expect(canonicalUsername(input)).toBe(name);
});
