import { commonPasswords } from './common-passwords.ts';

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
const LETTER = /[\p{L}\p{M}]/u;

/** Whether a password is common, or nothing but names of this service and its owner between digits and marks. */
export function isWeakPassword(password: string, owner: PasswordOwner): boolean {
  const text = folded(password);
  const names = [owner.username, owner.displayName ?? ''].map(folded);
  if (commonPasswords().has(text) || names.includes(text)) return true;
  const parts = names.flatMap((name) => name.split(/[^\p{L}\p{M}]+/u));
  const own = [...names, ...parts].filter((word) => word.length >= SHORTEST_PART);
  return LETTER.test(text) && isMadeOf(text, [...CONTEXT, ...own]);
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Whether the text is these words, in any order and number, and otherwise no letter at all. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  const reached = new Set([0]);
  // Grows while it is walked; every place is visited once, so the time stays bounded.
  for (const place of reached) {
    const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
    if (!LETTER.test(character)) reached.add(place + character.length);
    for (const word of words) {
      if (text.startsWith(word, place)) reached.add(place + word.length);
    }
    if (reached.has(text.length)) return true;
  }
  return false;
}
