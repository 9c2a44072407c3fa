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

/** The same for code units: tags share the first half of their pairs with other characters. */
const HIDDEN_UNITS = HIDDEN_RANGES.map(([from, to]) =>
  from > 0xffff ? '\\udb40' : `\\u${hex4(from)}-\\u${hex4(to)}`,
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

/** Every mark is of these, among other characters: not of Cyrillic, Chinese, Japanese or Korean. */
const MAY_BE_MARKS =
  '\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u302f\\u3099\\u309a\\ua66f-\\uabff\\ud800-\\uffff';
/** In most texts nothing hides and nothing is stacked. This finds out without the tables of Unicode. */
const MAY_HIDE = new RegExp(`[${HIDDEN_UNITS}]|[${MAY_BE_MARKS}]{9}`);

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
  if (!MAY_HIDE.test(raw)) {
    return {
      parts: raw === '' ? [] : [{ kind: 'text', text: raw.toWellFormed() }],
      hiddenCount: 0,
    };
  }
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
  return `U+${hex4(character.codePointAt(0) ?? 0).toUpperCase()}`;
}

function hex4(codePoint: number): string {
  return codePoint.toString(16).padStart(4, '0');
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
