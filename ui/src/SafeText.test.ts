import { expect, test } from 'vitest';
import {
  cutMarksIn,
  HIDDEN_RANGES,
  initialOf,
  isBlank,
  splitHidden,
  truncateGraphemes,
} from './SafeText.tsx';

function shown(text: string): string {
  return splitHidden(text)
    .parts.map((part) => (part.kind === 'text' ? part.text : `[${part.codePoints.join(' ')}]`))
    .join('');
}

test.each([
  ['plain text', 'Ana Okafor', 'Ana Okafor'],
  ['Arabic', 'صباح الخير', 'صباح الخير'],
  ['an override', 'user\u202egnp.exe', 'user[U+202E]gnp.exe'],
  ['isolates', '\u2066a\u2069', '[U+2066]a[U+2069]'],
  ['a zero-width space', 'ad\u200bmin', 'ad[U+200B]min'],
  ['a byte order mark', '\ufeffadmin', '[U+FEFF]admin'],
  ['tags', 'a\u{e0061}\u{e0062}', 'a[U+E0061 U+E0062]'],
  ['a Hangul filler', '\u3164', '[U+3164]'],
  ['a joined family', '👨‍👩‍👧 us', '👨‍👩‍👧 us'],
  ['a heart on fire', '❤️‍🔥', '❤️‍🔥'],
  ['the flag of England', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['a joiner that joins nothing', 'a\u200db', 'a[U+200D]b'],
  ['a joiner after an emoji', '😀\u200dadmin', '😀[U+200D]admin'],
  ['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
  ['a line break stays', 'a\nb', 'a\nb'],
  ['a line break of Windows', 'a\r\nb', 'a\nb'],
  ['a run', 'a\u200b\u200b\u202eb', 'a[U+200B U+200B U+202E]b'],
  ['a joiner that Persian spells with', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['a joiner that Hindi spells with', 'क्\u200dष', 'क्\u200dष'],
  ['two joiners in a Persian word', 'می\u200c\u200cخواهم', 'می[U+200C U+200C]خواهم'],
  ['empty', '', ''],
])('%s', (_, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('counts what hides', () => {
  expect(splitHidden('a\u200b\u200bb\u202e').hiddenCount).toBe(3);
});

test.each([
  ['plain', 0],
  [`a${'\u0301'.repeat(8)}`, 0],
  [`a${'\u0301'.repeat(20)} b${'\u0302'.repeat(9)}`, 13],
])('of %j so many marks are cut: %i', (text, cut) => {
  expect(cutMarksIn(text)).toBe(cut);
});

test('stacked marks end at eight', () => {
  expect(shown(`Z${'\u0300'.repeat(500)}!`)).toBe(`Z${'\u0300'.repeat(8)}!`);
});

test('every mark of Unicode is cut when it is stacked', () => {
  const marks = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{M}/u.test(character));
  expect(marks.length).toBeGreaterThan(2000);
  expect(
    marks.filter((mark) => shown(`a${mark.repeat(9)}`) !== shown(`a${mark.repeat(8)}`)),
  ).toEqual([]);
});

test('every character that hides is found by itself', () => {
  const hidden = HIDDEN_RANGES.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  );
  expect(hidden.filter((character) => splitHidden(`a${character}b`).hiddenCount !== 1)).toEqual([]);
});

test.each([
  ['', true],
  [' \n\t\u00a0\u3000', true],
  ['\u200b\u2060\ufeff', true],
  ['\u2800 \u3164', true],
  ['\ufe0f', true],
  ['.', false],
  [' \u200b a', false],
  ['👨‍👩‍👧', false],
])('whether nothing can be seen of %j: %s', (text, expected) => {
  expect(isBlank(text)).toBe(expected);
});

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
