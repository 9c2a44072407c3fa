import { authLogin, authPassword } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { sql } from '../../db/sql.ts';
import { createLoginThrottle } from './login-throttle.ts';

const LIMITS = {
  failures: 5,
  attemptsPerNetwork: 30,
  failuresPerName: 20,
  failuresInARow: 100,
  passwordChanges: 10,
};

const allowed = (results: PromiseSettledResult<void>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;

describe.each(ENGINES)('guessing, on %s', (engine) => {
  let meridian: TestApp;
  beforeAll(async () => {
    meridian = await startTestApp(engine);
  });
  afterAll(() => meridian.close());

  const throttle = () => createLoginThrottle(meridian.db, LIMITS);
  const tries = (name: string, address: string, count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, () => throttle().reserve({ username: name, address })),
    );
  /** As if this much time had passed for every counter. */
  const pass = (seconds: number) =>
    meridian.db.execute(sql`
      update attempt_buckets
      set started_at = started_at - make_interval(secs => ${seconds}),
          blocked_until = blocked_until - make_interval(secs => ${seconds})`);

  test('thirty attempts at once: exactly five are looked at', async () => {
    expect(allowed(await tries('burst', '198.51.100.1', 30))).toBe(5);
  });

  test('the wait doubles with each further failure and is told in seconds', async () => {
    await tries('patient', '198.51.100.2', 5);
    for (const seconds of [1, 2, 4, 8]) {
      await expect(
        throttle().reserve({ username: 'patient', address: '198.51.100.2' }),
      ).rejects.toMatchObject({
        code: 'too_many_requests',
        retryAfterSeconds: seconds,
      });
      await pass(seconds);
      await throttle().reserve({ username: 'patient', address: '198.51.100.2' });
    }
    await pass(15 * 60);
    expect(allowed(await tries('patient', '198.51.100.2', 6))).toBe(5);
  });

  test('one network may not try many names', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        throttle().reserve({ username: `name-${index}`, address: '198.51.100.3' }),
      ),
    );
    expect(allowed(results)).toBe(30);
    await pass(5 * 60 + 1);
    await throttle().reserve({ username: 'name-41', address: '198.51.100.3' });
  });

  test('many networks share one budget for a name, and never delay a network it is known from', async () => {
    const { username } = await meridian.signIn();
    await throttle().succeeded({ username, address: '203.0.113.1' });
    const from = (index: number) => ({ username, address: `198.51.101.${index}` });
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => throttle().reserve(from(index))),
    );
    expect(allowed(results)).toBe(20);
    await throttle().reserve({ username, address: '203.0.113.1' });

    // A hundred in a row, however slowly: strangers are refused until somebody known signs in.
    for (let index = 0; index < 80; index += 1) {
      await pass(3601);
      await throttle().reserve(from(index % 200));
    }
    await pass(3601);
    await expect(throttle().reserve(from(201))).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    await throttle().reserve({ username, address: '203.0.113.1' });
    await throttle().succeeded({ username, address: '203.0.113.1' });
    await throttle().reserve(from(202));
  });

  test('the call itself answers 429 with Retry-After, for unknown names too', async () => {
    const { username } = await meridian.signIn();
    for (const name of [username, 'nobody-at-all']) {
      const answers = [];
      for (let attempt = 0; attempt < 6; attempt += 1) {
        answers.push(
          await meridian.call(authLogin, { body: { username: name, password: 'wrong' } }),
        );
      }
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
      expect(answers.at(-1)?.headers['retry-after']).toBe('1');
    }
  });

  test('changing the password is bounded too', async () => {
    const { token } = await meridian.signIn();
    const body = { currentPassword: 'wrong', newPassword: 'another-good-one' };
    const answers = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      answers.push(await meridian.call(authPassword, { token, body }));
    }
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 400),
      429,
    ]);
  });

  test('no name is stored as it was typed', async () => {
    await tries('my-secret-password', '198.51.100.9', 1);
    const rows = await meridian.db.many<{ row: string }>(
      sql`select attempt_buckets::text as row from attempt_buckets`,
    );
    expect(rows.some(({ row }) => row.includes('my-secret-password'))).toBe(false);
  });
});
