import { withoutHidden } from './hidden-characters.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** One visible character may be built of many; past this it is an attack on the layout. */
const LONGEST_GRAPHEME = 16;

/** Up to `count` characters as a reader counts them, then an ellipsis. Cuts through none of them. */
export function truncateGraphemes(text: string, count: number): string {
  // No text has more graphemes than code units.
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
