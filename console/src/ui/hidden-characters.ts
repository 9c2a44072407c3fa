/**
 * Characters that show nothing yet change what a reader sees. Variation selectors are not among
 * them, as emoji need those; line break and tab neither, as they do show.
 */
export const HIDDEN_RANGES: readonly [from: number, to: number][] = [
  [0x00, 0x08], // control characters
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // grapheme joiner
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180e, 0x180e], // Mongolian vowel separator
  [0x200b, 0x200f], // zero widths, direction marks
  [0x2028, 0x202e], // separators, embeddings and overrides
  [0x2060, 0x206f], // word joiner, invisible operators, isolates
  [0x2800, 0x2800], // blank Braille pattern
  [0x3164, 0x3164], // Hangul filler
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // half-width Hangul filler
  [0xfff9, 0xfffb], // interlinear annotations
  [0xe0000, 0xe007f], // tags
];

const HIDDEN_CLASS = HIDDEN_RANGES.map(
  ([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`,
).join('');

/** Joined emoji (a family, a flag of England) are built with such characters, and show well. */
const EMOJI =
  /\p{RI}\p{RI}|\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}|\p{Extended_Pictographic}[\ufe0f\p{EMod}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{EMod}]*)*/u;

/** Persian, the scripts of India and their neighbours spell with joiners and breaks between letters. */
const SPELT = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Thai Laoo'
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const JOINED = `(?<=[${SPELT}])[\\u200b-\\u200d](?=[${SPELT}])`;

const TOKEN = new RegExp(`(${EMOJI.source}|${JOINED})|([${HIDDEN_CLASS}]+)`, 'gu');

/** Eight marks on one letter serve every script; eighty are meant to climb over the neighbours. */
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu;

/** Most texts: nothing in them hides or is stacked, and the tables of Unicode are not needed. */
const PLAIN = /^[\t\n -~\xa1-\xac\xae-\u02ff\u2010-\u2027]+$/;

/** How many of such marks are cut. */
export function cutMarksIn(raw: string): number {
  const cut = raw.replace(STACKED_MARKS, '$1');
  return Array.from(raw).length - Array.from(cut).length;
}

export type TextPart =
  | { kind: 'text'; text: string }
  /** A run of hidden characters, which is marked once however long it is. */
  | { kind: 'hidden'; codePoints: string[] };

/** Splits a text into what can be seen and what hides. */
export function splitHidden(raw: string): { parts: TextPart[]; hiddenCount: number } {
  if (PLAIN.test(raw)) return { parts: [{ kind: 'text', text: raw }], hiddenCount: 0 };
  const text = raw.toWellFormed().replaceAll('\r\n', '\n').replace(STACKED_MARKS, '$1');
  const parts: TextPart[] = [];
  let hiddenCount = 0;
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const hidden = match[2];
    if (hidden === undefined) continue;
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    const codePoints = Array.from(hidden, nameOfCodePoint);
    parts.push({ kind: 'hidden', codePoints });
    hiddenCount += codePoints.length;
    from = match.index + hidden.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return { parts, hiddenCount };
}

function nameOfCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Nothing in it can be seen: white space, zero widths, fillers, selectors. */
export function isBlank(text: string): boolean {
  if (/[!-~]/.test(text)) return false;
  return !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(withoutHidden(text));
}

/** The text without what hides, for where nothing can be marked: a title, a comparison. */
export function withoutHidden(raw: string): string {
  return splitHidden(raw)
    .parts.map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');
}
