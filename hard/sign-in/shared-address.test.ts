import { authLogin } from '@meridian/contract/auth';
import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import {
  clearAttemptsOf,
  createSignInLimits,
} from '../../server/src/features/sign-in-limits/sign-in-limits.ts';
import type {
  Reservation,
  SignInLimitSettings,
} from '../../server/src/features/sign-in-limits/sign-in-limits.ts';
import { EITHER, setUpApp } from '../../server/test/app.ts';
import type { SignedIn } from '../../server/test/app.ts';
import { pass } from '../../server/test/cluster/stopped-clock.ts';

const LIMITS: SignInLimitSettings = {
  failures: 5,
  attemptsPerNetwork: 30,
  failuresPerName: 20,
  failuresInARow: 100,
  passwordChanges: 10,
};
const SHARED = '203.0.113.1';

/** The Retry-After of a refused attempt; fails when it is allowed. */
const waitOf = (reservation: Promise<Reservation>) =>
  reservation.then(
    () => Promise.reject(new Error('Not refused')),
    (error: { retryAfterSeconds: number }) => error.retryAfterSeconds,
  );

/** An attempt that was allowed, and whose password could not be verified. */
const failToVerify = ({ run }: Reservation) =>
  expect(run(() => Promise.reject(new Error('not verified')))).rejects.toThrow('not verified');

// As behind a proxy that TRUST_PROXY does not name.
describe.each(EITHER)('one address for all clients on %s', (engine) => {
  const api = setUpApp(engine, { isClockStopped: true });
  beforeEach(() => api.db.execute(sql`delete from attempt_buckets`));

  const login = (username: string, password: string) =>
    api.call(authLogin, { body: { username, password } });
  const wrong = (username: string) => login(username, 'a wrong password');
  const right = async ({ username, password }: SignedIn) =>
    (await login(username, password)).status;

  const limitsOf = (settings: Partial<SignInLimitSettings> = {}) =>
    createSignInLimits(api.db, { ...LIMITS, ...settings });
  /** An administrator who has signed in from the shared address. */
  async function known() {
    const admin = await api.signIn();
    const attempt = { username: admin.username, address: SHARED };
    await limitsOf().succeeded(attempt);
    return { admin, attempt };
  }
  /** As if every bucket in use were blocked for a day. */
  const exhaust = () =>
    api.db.execute(sql`
      update attempt_buckets
      set started_at = now() + interval '1 day', blocked_until = now() + interval '1 day'`);

  test('two hundred invented names do not lock out an administrator who signed in before', async () => {
    const [admin, newcomer] = [await api.signIn(), await api.signIn()];
    expect(await right(admin)).toBe(200);
    let verified = 0;
    for (let n = 0; n < 200; n += 1) {
      const { status } = await wrong(`invented-${n}`);
      expect([401, 429]).toContain(status);
      if (status === 401) verified += 1;
    }
    expect(verified).toBe(LIMITS.attemptsPerNetwork - 1);
    // A name that never signed in from this network has no reserve.
    expect(await right(newcomer)).toBe(429);
    expect(await right(admin)).toBe(200);
  });

  test('two hundred guesses at the own name delay the administrator by at most 30 seconds', async () => {
    const admin = await api.signIn();
    expect(await right(admin)).toBe(200);
    const waits: number[] = [];
    const statuses = new Set<number>();
    for (let n = 0; n < 200; n += 1) {
      const { status, headers } = await wrong(admin.username);
      statuses.add(status);
      if (status === 429) waits.push(Number(headers['retry-after']));
    }
    expect(statuses).toEqual(new Set([401, 429]));
    // Most were refused without a hash, and none with a longer wait.
    expect(waits.length).toBeGreaterThan(150);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30);
    await pass(api.db, 30);
    expect(await right(admin)).toBe(200);
  });

  test('the reserve is one attempt per 30 seconds, and a hundred in a row', async () => {
    const { admin, attempt } = await known();
    // The limit of the network must not interfere.
    const guesser = limitsOf({ attemptsPerNetwork: 10_000 });
    for (let n = 0; n < LIMITS.failures; n += 1) await guesser.reserve(attempt);
    await exhaust();
    const waits: number[] = [];
    for (let n = 0; n < LIMITS.failuresInARow; n += 1) {
      await guesser.reserve(attempt);
      waits.push(await waitOf(guesser.reserve(attempt)));
      await pass(api.db, 30);
    }
    expect(Math.max(...waits.slice(0, -1))).toBeLessThanOrEqual(30);
    expect(waits.at(-1)).toBe(3_600);
    await expect(guesser.reserve(attempt)).rejects.toThrow('Too many attempts');
    // A sign-in opens it again, and so does `npm run admin -- unlock`.
    await guesser.succeeded(attempt);
    for (let n = 0; n <= LIMITS.failures; n += 1) await guesser.reserve(attempt);
    await exhaust();
    await expect(guesser.reserve(attempt)).rejects.toThrow('Too many attempts');
    await clearAttemptsOf(api.db, { id: admin.adminId, username: admin.username });
    await guesser.reserve(attempt);
  });

  test('an attempt of the reserve that was not verified is refunded', async () => {
    const { attempt } = await known();
    for (let n = 0; n < LIMITS.failures; n += 1) await limitsOf().reserve(attempt);
    await exhaust();
    for (let n = 0; n < 3; n += 1) {
      const reservation = await limitsOf().reserve(attempt);
      expect(reservation.isKnown).toBe(true);
      await failToVerify(reservation);
    }
    await limitsOf().reserve(attempt);
    await expect(limitsOf().reserve(attempt)).rejects.toThrow('Too many attempts');
  });

  test('attempts that were not verified are limited too once the limit of the network is reached', async () => {
    const { attempt } = await known();
    const few = limitsOf({ attemptsPerNetwork: 3 });
    const others = Array.from({ length: 3 }, (_, n) => ({ ...attempt, username: `one-${n}` }));
    for (const other of others) await few.reserve(other);
    const oneMore = { ...attempt, username: 'one-more' };
    await expect(few.reserve(oneMore)).rejects.toThrow('Too many attempts');
    for (let n = 0; n < 3; n += 1) {
      await failToVerify(await few.reserve(attempt));
    }
    await expect(few.reserve(attempt)).rejects.toThrow('Too many attempts');
  });

  test('a refusal is reported once, and not while the reserve allows the attempt', async () => {
    const { attempt } = await known();
    for (let n = 0; n < LIMITS.failures; n += 1) await limitsOf().reserve(attempt);
    await exhaust();
    let reported = 0;
    const report = async () => {
      reported += 1;
    };
    await limitsOf().reserve(attempt, report);
    expect(reported).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      await expect(limitsOf().reserve(attempt, report)).rejects.toThrow('Too many attempts');
    }
    expect(reported).toBe(1);
  });
});
