import { authLogin } from '@meridian/contract/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { SignedIn, TestApp } from '../../../test/app.ts';
import { pass } from '../../../test/cluster/stopped-clock.ts';
import { sql } from '../../db/sql.ts';
import { createLoginThrottle, forgetAttempts } from './login-throttle.ts';
import type { LoginLimits, Reservation } from './login-throttle.ts';

const LIMITS: LoginLimits = {
  failures: 5,
  attemptsPerNetwork: 30,
  failuresPerName: 20,
  failuresInARow: 100,
  passwordChanges: 10,
};
const SHARED = '203.0.113.1';

/** The seconds that a refused attempt is told to wait; fails when it is not refused. */
const waitOf = (reservation: Promise<Reservation>) =>
  reservation.then(
    () => Promise.reject(new Error('Not refused')),
    (error: { retryAfterSeconds: number }) => error.retryAfterSeconds,
  );

/** An attempt that is let through, and whose password could not be verified. */
const withoutVerdict = ({ spend }: Reservation) =>
  expect(spend(() => Promise.reject(new Error('no verdict')))).rejects.toThrow('no verdict');

// Every client has one address here, as behind a proxy that TRUST_PROXY does not name.
describe.each(ENGINES)('one address for all clients, on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine, { isClockStopped: true });
  });
  beforeEach(() => api.db.execute(sql`delete from attempt_buckets`));
  afterAll(() => api.close());

  const login = (username: string, password: string) =>
    api.call(authLogin, { body: { username, password } });
  const wrong = (username: string) => login(username, 'a wrong password');
  const right = async ({ username, password }: SignedIn) =>
    (await login(username, password)).status;

  const throttle = (limits: Partial<LoginLimits> = {}) =>
    createLoginThrottle(api.db, { ...LIMITS, ...limits });
  /** An administrator who has signed in from the shared address. */
  async function known() {
    const admin = await api.signIn();
    const attempt = { username: admin.username, address: SHARED };
    await throttle().succeeded(attempt);
    return { admin, attempt };
  }
  /** As if every budget that is in use so far were used up for a day. */
  const exhaust = () =>
    api.db.execute(sql`
      update attempt_buckets
      set started_at = now() + interval '1 day', blocked_until = now() + interval '1 day'`);

  test('two hundred invented names do not keep out an administrator who signed in before', async () => {
    const [admin, newcomer] = [await api.signIn(), await api.signIn()];
    expect(await right(admin)).toBe(200);
    let verified = 0;
    for (let n = 0; n < 200; n += 1) {
      const { status } = await wrong(`invented-${n}`);
      expect([401, 429]).toContain(status);
      if (status === 401) verified += 1;
    }
    expect(verified).toBe(LIMITS.attemptsPerNetwork - 1);
    // A name that never signed in from there has no reserve, whatever its password.
    expect(await right(newcomer)).toBe(429);
    expect(await right(admin)).toBe(200);
  });

  test('two hundred guesses at the own name delay the administrator by half a minute at most', async () => {
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
    // Most were refused without a hash, and none was told to wait for longer.
    expect(waits.length).toBeGreaterThan(150);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30);
    await pass(api.db, 30);
    expect(await right(admin)).toBe(200);
  });

  test('the reserve is one attempt per 30 seconds, and a hundred in a row', async () => {
    const { admin, attempt } = await known();
    // An hour is over in no time here, which the budget of the network must not notice.
    const guesser = throttle({ attemptsPerNetwork: 10_000 });
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
    // A sign-in opens it again, and so does the host.
    await guesser.succeeded(attempt);
    for (let n = 0; n <= LIMITS.failures; n += 1) await guesser.reserve(attempt);
    await exhaust();
    await expect(guesser.reserve(attempt)).rejects.toThrow('Too many attempts');
    await forgetAttempts(api.db, { id: admin.adminId, username: admin.username });
    await guesser.reserve(attempt);
  });

  test('an attempt of the reserve without a verdict is given back', async () => {
    const { attempt } = await known();
    for (let n = 0; n < LIMITS.failures; n += 1) await throttle().reserve(attempt);
    await exhaust();
    for (let n = 0; n < 3; n += 1) {
      const reservation = await throttle().reserve(attempt);
      expect(reservation.isKnown).toBe(true);
      await withoutVerdict(reservation);
    }
    await throttle().reserve(attempt);
    await expect(throttle().reserve(attempt)).rejects.toThrow('Too many attempts');
  });

  test('attempts without a verdict are bounded too once the network has none left', async () => {
    const { attempt } = await known();
    const few = throttle({ attemptsPerNetwork: 3 });
    const strangers = Array.from({ length: 3 }, (_, n) => ({ ...attempt, username: `one-${n}` }));
    for (const stranger of strangers) await few.reserve(stranger);
    const oneMore = { ...attempt, username: 'one-more' };
    await expect(few.reserve(oneMore)).rejects.toThrow('Too many attempts');
    for (let n = 0; n < 3; n += 1) {
      await withoutVerdict(await few.reserve(attempt));
    }
    await expect(few.reserve(attempt)).rejects.toThrow('Too many attempts');
  });

  test('a refusal is told of once, and not while the reserve lets the attempt through', async () => {
    const { attempt } = await known();
    for (let n = 0; n < LIMITS.failures; n += 1) await throttle().reserve(attempt);
    await exhaust();
    let told = 0;
    const tell = async () => {
      told += 1;
    };
    await throttle().reserve(attempt, tell);
    expect(told).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      await expect(throttle().reserve(attempt, tell)).rejects.toThrow('Too many attempts');
    }
    expect(told).toBe(1);
  });
});
