import { authPassword, newPassword, passwordBodyOf } from '@meridian/contract/auth';
import type { BodyOf } from '@meridian/contract/endpoint';
import { ERRORS } from '@meridian/contract/errors';
import type { FastifyInstance } from 'fastify';
import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { recordEvent } from '../../audit/audit.store.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/errors.ts';
import { createConcurrencyLimit } from '../../http/limits.ts';
import type { ConcurrencyLimit } from '../../http/limits.ts';
import { register } from '../../http/register.ts';
import type { Actor } from '../../http/register.ts';
import { findAdmin, lockAdmin, setPassword } from '../administrators/administrators.store.ts';
import { revokeOtherSessions } from '../sessions/sessions.store.ts';
import type { SignInLimits } from '../sign-in-limits/sign-in-limits.ts';

type Services = {
  config: Pick<Config, 'passwordMinLength'>;
  passwords: ReturnType<typeof createPasswordsService>;
};

export function passwordsRoutes(app: FastifyInstance, { config, passwords }: Services): void {
  const endpoint = { ...authPassword, body: passwordBodyOf(config.passwordMinLength) };
  register(app, endpoint, async ({ actor, body }) => {
    await passwords.change(actor, body);
    return { success: true } as const;
  });
}

type PasswordsOptions = {
  db: Database;
  hashGate: HashGate;
  limits: SignInLimits;
  onPasswordReplaced: (password: string) => Promise<void>;
};

type PasswordChange = BodyOf<typeof authPassword>;

const KNOWN = { isKnown: true };

export function createPasswordsService(options: PasswordsOptions) {
  const { db, hashGate, limits, onPasswordReplaced } = options;

  async function tryToChange(
    actor: Actor,
    { currentPassword, newPassword }: PasswordChange,
  ): Promise<'changed' | 'wrong' | 'weak'> {
    const { adminId } = actor;
    const admin = await findAdmin(db, actor.username);
    if (admin === null || admin.is_disabled) throw new AppError('session_ended');
    const matches = await hashGate.run(
      () => verifyPassword(currentPassword, admin.password_hash),
      KNOWN,
    );
    if (!matches) return 'wrong';
    if (await isWeakPassword(newPassword, actor)) return 'weak';

    const hash = await hashGate.run(() => hashPassword(newPassword), KNOWN);
    return db.transaction(async (tx) => {
      const locked = await lockAdmin(tx, adminId);
      // Another request changed the password while this one was hashing: the given one is outdated.
      if (locked?.password_hash !== admin.password_hash) return 'wrong';
      await setPassword(tx, adminId, hash);
      await revokeOtherSessions(tx, adminId, actor.tokenHash);
      await recordEvent(tx, { by: actor, action: 'authPassword' }, adminId);
      return 'changed';
    });
  }

  return {
    async change(actor: Actor, change: PasswordChange): Promise<void> {
      const { adminId } = actor;
      const reservation = await limits.reservePasswordChange(adminId, () =>
        recordEvent(db, { by: actor, action: 'authThrottled' }, adminId),
      );
      const outcome = await reservation.run(() => tryToChange(actor, change));
      if (outcome === 'weak') {
        const { message } = ERRORS.weak_password;
        throw new AppError('weak_password', { issues: [{ path: 'newPassword', message }] });
      }
      if (outcome === 'wrong') {
        await recordEvent(db, { by: actor, action: 'authPasswordFailed' }, adminId);
        throw new AppError('wrong_current_password');
      }
      await onPasswordReplaced(change.currentPassword);
    },
  };
}

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
const MIN_NAME_LENGTH = 3;
const NON_LETTERS = /[^\p{L}\p{M}]+/gu;
/** These are added to satisfy other policies: "Summer2026!" is no better than "Summer2026". */
const TRAILING_MARKS = /[^\p{L}\p{M}\p{N}]{1,2}$/u;

let estimator: ReturnType<typeof loadEstimator> | undefined;

export async function passwordProblem(
  password: string,
  owner: PasswordOwner,
  minLength: number,
): Promise<string | null> {
  const { error } = newPassword(minLength).safeParse(password);
  if (error !== undefined) return error.issues[0]?.message ?? null;
  return (await isWeakPassword(password, owner)) ? ERRORS.weak_password.message : null;
}

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

/** The 49,000 words take 14 MB that most processes never need. */
async function loadEstimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    // Its time grows faster than the length.
    maxLength: 32,
  });
  return (text: string, ownWords: string[]) => zxcvbn.check(text, ownWords).guesses;
}

function normalized(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function consistsOf(text: string, words: readonly string[]): boolean {
  const letters = text.replace(NON_LETTERS, '');
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), letters);
  return letters !== '' && rest === '';
}

// The letters 0, O, I and l are missing, as they are hard to tell apart.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function generatePassword(): string {
  return Array.from({ length: 24 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const derive = promisify(argon2);

/** This is OWASP's minimum for argon2id; raise `passes` when a login takes under 80 ms. */
const CURRENT = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_LENGTH);
  return phcOf(salt, await tagOf(password, salt, CURRENT, TAG_LENGTH));
}

export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const { cost, salt, tag } = parse(phc);
  return timingSafeEqual(await tagOf(password, salt, cost, tag.length), tag);
}

export function isOutdated(phc: string): boolean {
  return !isDeepStrictEqual(parse(phc).cost, CURRENT);
}

/** Unknown user names are verified against this hash, at the same cost as others. */
export function unmatchableHash(): string {
  return phcOf(randomBytes(SALT_LENGTH), randomBytes(TAG_LENGTH));
}

function phcOf(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = CURRENT;
  const [saltText, tagText] = [salt, tag].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  );
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${tagText}`;
}

function tagOf(message: string, nonce: Buffer, cost: typeof CURRENT, tagLength: number) {
  return derive('argon2id', { message, nonce, tagLength, ...cost });
}

function parse(phc: string) {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('A stored password hash is damaged');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** A hash takes a core and 19 MiB: without a limit a flood of sign-ins would starve every other request. */
export const createHashGate = (): HashGate =>
  createConcurrencyLimit({ atOnce: 2, queue: 16, waitMs: 3_000, reserved: 1 });

export type HashGate = ConcurrencyLimit;
