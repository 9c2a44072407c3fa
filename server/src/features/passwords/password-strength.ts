import { randomInt } from 'node:crypto';
import { newPassword } from '@meridian/contract/auth';
import { ERRORS } from '@meridian/contract/errors';

export type PasswordOwner = { username: string; displayName: string | null };

/** An attacker tries these first on this service; the last two appear in every manual. */
const SERVICE_WORDS = [
  'meridian',
  'admin',
  'administrator',
  'bluesky',
  'bsky',
  'password',
  'changeme',
] as const;
/** Below this number of guesses zxcvbn calls a password "very guessable". */
const MIN_GUESSES = 1_000_000;
/** zxcvbn looks at this many characters; its time grows faster than the length. */
const ESTIMATED_LENGTH = 32;
/** Shorter parts of a name would refuse passwords that merely contain the same letters. */
const MIN_NAME_LENGTH = 3;
const NON_LETTERS = /[^\p{L}\p{M}]+/gu;
/** Added to satisfy other policies: "Summer2026!" is no better than "Summer2026". */
const TRAILING_MARKS = /[^\p{L}\p{M}\p{N}]{1,2}$/u;

let estimator: ReturnType<typeof loadEstimator> | undefined;

/** The refusal in the words of the API; null when the password can be set. */
export async function passwordProblem(
  password: string,
  owner: PasswordOwner,
  minLength: number,
): Promise<string | null> {
  const { error } = newPassword(minLength).safeParse(password);
  if (error !== undefined) return error.issues[0]?.message ?? null;
  return (await isWeakPassword(password, owner)) ? ERRORS.weak_password.message : null;
}

/** Guessable, or made of the names of its owner and of this service. */
export async function isWeakPassword(password: string, owner: PasswordOwner): Promise<boolean> {
  const text = normalized(password);
  const names = [owner.username, owner.displayName ?? ''].map(normalized);
  const parts = names.flatMap((name) => [
    name.replace(NON_LETTERS, ''),
    ...name.split(NON_LETTERS),
  ]);
  const words = [...SERVICE_WORDS, ...parts.filter((part) => part.length >= MIN_NAME_LENGTH)];
  if (consistsOf(text, words)) return true;
  estimator ??= loadEstimator();
  const guesses = await estimator;
  const forms = new Set([text, text.replace(TRAILING_MARKS, '')]);
  return [...forms].some((form) => guesses(form, [...words, ...names]) < MIN_GUESSES);
}

/** Loaded with the first password that is set: 49,000 words take 14 MB that most processes never need. */
async function loadEstimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    maxLength: ESTIMATED_LENGTH,
  });
  return (text: string, ownWords: string[]) => zxcvbn.check(text, ownWords).guesses;
}

function normalized(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Digits and marks do not count. */
function consistsOf(text: string, words: readonly string[]): boolean {
  const letters = text.replace(NON_LETTERS, '');
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), letters);
  return letters !== '' && rest === '';
}

// Without 0, O, I and l, which are hard to tell apart.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LENGTH = 24;

/** 24 characters of 58: 140 bits. */
export function generatePassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
