import { expect, test } from 'vitest';
import { initialOf, truncateGraphemes } from './truncate-graphemes.ts';

const family = '👨‍👩‍👧‍👦';

test.each([
  ['short enough', 'hello', 5, 'hello'],
  ['plain', 'hello world', 8, 'hello wo…'],
  ['no blank before the ellipsis', 'hello world', 6, 'hello…'],
  ['a family is one character', family.repeat(4), 2, `${family}${family}…`],
  ['four families fit into four', family.repeat(4), 4, family.repeat(4)],
  ['Japanese', '新しい写真集の予約は今夜', 5, '新しい写真…'],
  ['combining accents stay with their letter', 'e\u0301e\u0301e\u0301', 2, 'e\u0301e\u0301…'],
  ['an accent on the last letter', 'abce\u0301f', 4, 'abce\u0301…'],
  ['flags', '🇩🇪🇯🇵🇧🇷', 2, '🇩🇪🇯🇵…'],
  ['nothing of it', 'abc', 0, '…'],
  ['empty', '', 3, ''],
])('%s', (_, text, count, expected) => {
  expect(truncateGraphemes(text, count)).toBe(expected);
});

test('never leaves half a surrogate pair', () => {
  for (let count = 0; count < 12; count += 1) {
    expect(truncateGraphemes('a😀'.repeat(10), count).isWellFormed()).toBe(true);
  }
});

test('a letter under ten thousand accents is bounded', () => {
  expect(truncateGraphemes(`Z${'\u0301'.repeat(10_000)}`, 20).length).toBeLessThan(400);
});

test.each([
  ['harbour', 'H'],
  ['  ada', 'A'],
  ['e\u0301va', 'E\u0301'],
  ['x', 'X'],
  ['三', '三'],
  [`${family} us`, family],
  ['', '?'],
])('the initial of %j is %j', (name, expected) => {
  expect(initialOf(name)).toBe(expected);
});
