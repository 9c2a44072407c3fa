import { standsAt } from './letter-swaps.ts';

/** What fingers and counting produce. Letters and digits go on from their end to their beginning. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
] as const;
const RUNS = ROWS.flatMap((row) => [row, reversed(row)]);
const SHORTEST_RUN = 4;
/** Less than that between digits says nothing of them. */
const SHORTEST_CORE = 4;

const CALENDAR = [
  'spring summer autumn fall winter',
  'january february march april may june july august september october november december',
  'jan feb mar apr jun jul aug sep sept oct nov dec',
  'monday tuesday wednesday thursday friday saturday sunday',
].flatMap((words) => words.split(' '));

/** A year and a few marks. With more around it, the word is no longer all that has to be guessed. */
const MOST_TRIMMINGS = 8;
const LETTER = /[\p{L}\p{M}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u;

export function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

/** What stands between a few marks, and between a few marks and digits. */
export function coresOf(text: string): string[] {
  return [LETTER_OR_DIGIT, LETTER]
    .map((kept) => between(text, kept))
    .filter((core) => core.length >= SHORTEST_CORE)
    .filter((core) => text.length - core.length <= MOST_TRIMMINGS);
}

/** From the first to the last character of a kind. */
function between(text: string, kind: RegExp): string {
  const characters = Array.from(text);
  const isKept = (character: string) => kind.test(character);
  const from = characters.findIndex(isKept);
  return from < 0 ? '' : characters.slice(from, characters.findLastIndex(isKept) + 1).join('');
}

/** What the text repeats from its first to its last character, at least twice; else the text itself. */
export function unitOf(text: string): string {
  const characters = Array.from(text);
  // For each beginning of the text, how much of it is its end as well; found in one walk.
  const overlaps = [0];
  for (let overlap = 0, place = 1; place < characters.length; place += 1) {
    while (overlap > 0 && characters[place] !== characters[overlap]) {
      overlap = overlaps[overlap - 1] ?? 0;
    }
    if (characters[place] === characters[overlap]) overlap += 1;
    overlaps.push(overlap);
  }
  const length = characters.length - (overlaps.at(-1) ?? 0);
  return length * 2 <= characters.length ? characters.slice(0, length).join('') : text;
}

/** One run along the alphabet, the digits or a row of keys, in either direction. */
export function isRun(text: string): boolean {
  return text.length >= SHORTEST_RUN && RUNS.some((run) => run.includes(text));
}

/** A season, a month or a day, and otherwise nothing but a year and marks. */
export function isOfTheCalendar(text: string): boolean {
  return CALENDAR.some((word) => {
    const others = text.length - word.length;
    if (others > MOST_TRIMMINGS) return false;
    for (let place = 0; place <= others; place += 1) {
      const rest = text.slice(0, place) + text.slice(place + word.length);
      if (standsAt(text, place, word) && !LETTER.test(rest)) return true;
    }
    return false;
  });
}
