import { Fragment, type ReactNode } from 'react';

interface SafeTextProps {
  children: string;
  as?: 'bdi' | 'span' | undefined;
  draw?: ((text: string) => ReactNode) | undefined;
  lang?: string | undefined;
  className?: string | undefined;
  title?: string | undefined;
}

const NAMED = 6;

function HiddenMark({ codePoints }: { codePoints: readonly string[] }) {
  const more = codePoints.length > NAMED ? ' …' : '';
  return (
    <span
      aria-hidden="true"
      title={`${codePoints.slice(0, NAMED).join(' ')}${more}`}
      className="mx-px inline-block h-[0.7em] w-[0.45em] rounded-[2px] border border-dashed border-amber bg-amber-tint align-baseline"
    />
  );
}

/** A foreign text, isolated in our line, with every hidden character marked. */
export function SafeText({ children, as: Box = 'bdi', draw, ...attributes }: SafeTextProps) {
  const { parts, hiddenCount } = splitHidden(children);
  return (
    <>
      <Box {...attributes}>
        {parts.map((part, index) =>
          part.kind === 'hidden' ? (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
            <HiddenMark key={index} codePoints={part.codePoints} />
          ) : (
            (draw?.(part.text) ?? part.text)
          ),
        )}
      </Box>
      {hiddenCount > 0 && (
        // In a box that cuts its text, made a flex box, this stays in sight.
        <small className="ms-1.5 inline-block max-w-full shrink-0 text-xs font-normal text-amber">
          {hiddenCount} hidden {hiddenCount === 1 ? 'character' : 'characters'}
        </small>
      )}
    </>
  );
}

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

/** Eight marks on one letter serve every script; eighty climb over the neighbours. */
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu;

/** In most texts nothing hides or is stacked, and the tables of Unicode are not needed. */
const PLAIN = /^[\t\n -~\xa1-\xac\xae-\u02ff\u2010-\u2027]+$/;

export function cutMarksIn(raw: string): number {
  const cut = raw.replace(STACKED_MARKS, '$1');
  return Array.from(raw).length - Array.from(cut).length;
}

type TextPart = { kind: 'text'; text: string } | { kind: 'hidden'; codePoints: string[] };

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

export function withoutHidden(raw: string): string {
  return splitHidden(raw)
    .parts.map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');
}

const UNBROKEN = 24;
function isHeld(part: string): boolean {
  return part.length <= UNBROKEN && !/^[\w.]*$/.test(part);
}

/** A handle: lines break after its dots before they break anywhere else. */
export function breakAtDots(text: string): ReactNode {
  return text.split(/(?<=\.)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {isHeld(part) ? <span className="whitespace-nowrap">{part}</span> : part}
    </Fragment>
  ));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** One visible character may be built of many; past this it is an attack on the layout. */
const LONGEST_GRAPHEME = 16;

/** Up to `count` characters as a reader counts them, then an ellipsis. Cuts through none of them. */
export function truncateGraphemes(text: string, count: number): string {
  if (text.length <= count) return text;
  // Each of these letters is a grapheme of its own, unless a mark follows the last one.
  if (/^[ -~]*$/.test(text.slice(0, count + 1))) return `${text.slice(0, count).trimEnd()}…`;
  const window = text.slice(0, count * LONGEST_GRAPHEME + 1);
  let seen = 0;
  let end = 0;
  for (const { segment, index } of segmenter.segment(window)) {
    if (seen === count) break;
    seen += 1;
    end = index + segment.length;
  }
  if (end >= text.length) return text;
  // A monster may reach past the window: then the cut is mid-grapheme, but never mid-surrogate.
  return `${window
    .slice(0, Math.min(end, count * LONGEST_GRAPHEME))
    .trimEnd()
    .toWellFormed()}…`;
}

/** The first visible character, upper-case: the letter of an avatar without a picture. */
export function initialOf(name: string): string {
  const first = segmenter.segment(withoutHidden(name).trim())[Symbol.iterator]().next();
  return first.done === true
    ? '?'
    : first.value.segment.slice(0, LONGEST_GRAPHEME).toLocaleUpperCase();
}
