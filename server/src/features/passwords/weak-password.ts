import { commonPasswords } from './common-passwords.ts';
import { standsAt, unswapped } from './letter-swaps.ts';
import { coresOf, isOfTheCalendar, isRun, reversed, unitOf } from './password-patterns.ts';

/** Whose password it is to be. */
export type PasswordOwner = { username: string; displayName: string | null };

/** What a guesser tries first on this service; "password" and "changeme" stand in every manual. */
const CONTEXT = [
  'meridian',
  'admin',
  'administrator',
  'bluesky',
  'bsky',
  'password',
  'changeme',
] as const;
// Shorter parts of a name would turn down passwords that merely contain the same letters.
const SHORTEST_PART = 3;
/** What is too short for a password does not become one by being typed again. */
const SHORTEST_UNIT = 8;
const LETTER = /[\p{L}\p{M}]/u;

/**
 * Whether a password is among the first that a guesser tries: common, a few characters again and
 * again, a run of keys, a season with a year, or nothing but names of this service and its owner
 * between digits and marks. Always the whole of it: to contain such a thing is no fault.
 */
export function isWeakPassword(password: string, owner: PasswordOwner): boolean {
  const text = folded(password);
  const cores = coresOf(text);
  if ([text, ...cores].some((one) => isRun(one) || repeatsLittle(one))) return true;
  const unit = unitOf(text);
  return isRun(unit) || isOfTheCalendar(unit) || isCommon(unit) || isMadeOfNames(text, owner);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function repeatsLittle(text: string): boolean {
  const unit = unitOf(text);
  return unit !== text && Array.from(unit).length < SHORTEST_UNIT;
}

function isCommon(text: string): boolean {
  return [text, ...unswapped(text)].some((one) => commonPasswords().has(one));
}

function isMadeOfNames(text: string, owner: PasswordOwner): boolean {
  const names = [owner.username, owner.displayName ?? ''].map(folded);
  if (names.includes(text)) return true;
  const parts = names.flatMap((name) => name.split(/[^\p{L}\p{M}]+/u));
  const own = [...names, ...parts].filter((word) => word.length >= SHORTEST_PART);
  const words = [...CONTEXT, ...own];
  return LETTER.test(text) && isMadeOf(text, new Set([...words, ...words.map(reversed)]));
}

/** Whether the text is these words, in any order and number, and otherwise no letter at all. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  const reached = new Set([0]);
  // Grows while it is walked; every place is visited once, so the time stays bounded.
  for (const place of reached) {
    const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
    if (!LETTER.test(character)) reached.add(place + character.length);
    for (const word of words) {
      if (standsAt(text, place, word)) reached.add(place + word.length);
    }
    if (reached.has(text.length)) return true;
  }
  return false;
}
