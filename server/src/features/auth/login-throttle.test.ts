import { authLogin, authPassword } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { pass } from '../../../test/cluster/stopped-clock.ts';
import { callsThrough, refusingGate } from '../../../test/hash-counter.ts';
import { queueUp } from '../../../test/queue-up.ts';
import { sql } from '../../db/sql.ts';
import { createLoginThrottle, forgetAttempts } from './login-throttle.ts';

const LIMITS = {
  failures: 5,
  attemptsPerNetwork: 30,
  failuresPerName: 20,
  failuresInARow: 100,
  passwordChanges: 10,
};

const SPELLINGS = [
  'spelling',
  'SPELLING',
  'Spelling',
  'sPELLING',
  'SpElLiNg',
  'ｓｐｅｌｌｉｎｇ',
  'ＳＰＥＬＬＩＮＧ',
  'spellinｇ',
];

const allowed = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;

describe.each(ENGINES)('guessing, on %s', (engine) => {
  let meridian: TestApp;
  beforeAll(async () => {
    // Every call here comes from one address; what one name may try is what is looked at.
    const env = { LOGIN_ATTEMPTS_PER_NETWORK: '10000' };
    meridian = await startTestApp(engine, { env, isClockStopped: true });
  });
  afterAll(() => meridian.close());

  const throttle = () => createLoginThrottle(meridian.db, LIMITS);
  const tries = (name: string, address: string, count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, () => throttle().reserve({ username: name, address })),
    );

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
      await pass(meridian.db, seconds);
      await throttle().reserve({ username: 'patient', address: '198.51.100.2' });
    }
    await pass(meridian.db, 15 * 60);
    expect(allowed(await tries('patient', '198.51.100.2', 6))).toBe(5);
  });

  test('one network may not try many names', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        throttle().reserve({ username: `name-${index}`, address: '198.51.100.3' }),
      ),
    );
    expect(allowed(results)).toBe(30);
    await pass(meridian.db, 5 * 60 + 1);
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
      await pass(meridian.db, 3601);
      await throttle().reserve(from(index % 200));
    }
    await pass(meridian.db, 3601);
    await expect(throttle().reserve(from(201))).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    await throttle().reserve({ username, address: '203.0.113.1' });
    await throttle().succeeded({ username, address: '203.0.113.1' });
    await throttle().reserve(from(202));
  });

  test('of those refused at once because a name is closed to strangers, one is told of', async () => {
    const closing = createLoginThrottle(meridian.db, {
      ...LIMITS,
      failuresPerName: 3,
      failuresInARow: 2,
    });
    let told = 0;
    const from = (index: number) => () =>
      closing
        .reserve({ username: 'closed', address: `198.51.103.${index}` }, async () => {
          told += 1;
        })
        .then(
          () => 'allowed',
          (error: { code: string }) => error.code,
        );
    expect([await from(1)(), await from(2)()]).toEqual(['allowed', 'allowed']);
    // One more would use up what the name has in an hour. Each arrives before the other is refused.
    const lock = sql`select from attempt_buckets where blocked_until = 'infinity' for update`;
    for (const index of [10, 20]) {
      const answers = await queueUp(meridian.db, lock, [from(index), from(index + 1)]);
      expect(answers).toEqual(['too_many_requests', 'too_many_requests']);
    }
    expect(told).toBe(1);
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

  test('what a request says of itself gives no fresh budget', async () => {
    const gate = refusingGate();
    const call = await callsThrough(meridian, gate);
    const statuses = new Set<number>();
    for (let n = 0; n < 200; n += 1) {
      const own = `10.${n}.0.1`;
      const { status } = await call(authLogin, {
        body: { username: 'target', password: 'wrong', ...(n % 2 === 1 && { deviceId: own }) },
        headers: {
          'x-forwarded-for': own,
          'x-real-ip': own,
          'x-client-ip': own,
          'cf-connecting-ip': own,
          forwarded: `for=${own}`,
          'user-agent': `agent ${n}`,
        },
      });
      statuses.add(status);
    }
    expect(statuses).toEqual(new Set([401, 400, 429]));
    expect(gate.count).toBe(5);
  });

  test('a hundred calls at once reach the hash no more often', async () => {
    const gate = refusingGate();
    const call = await callsThrough(meridian, gate);
    const body = { username: 'crowd', password: 'wrong' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(authLogin, { body })));
    expect(gate.count).toBe(5);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('forty spellings of a name are one name', async () => {
    const gate = refusingGate();
    const call = await callsThrough(meridian, gate);
    const spellings = SPELLINGS.flatMap((name) =>
      ['', ' ', '\t', '\u00a0', '\u3000'].map((blank) => blank + name + blank),
    );
    expect(new Set(spellings).size).toBeGreaterThanOrEqual(40);
    for (const username of spellings) {
      await call(authLogin, { body: { username, password: 'wrong' } });
    }
    expect(gate.count).toBe(5);
  });

  test('unlocking lifts every wait of the name, from every network, and no other', async () => {
    const { username, adminId } = await meridian.signIn();
    const from = (index: number) => ({ username, address: `198.51.102.${index}` });
    await tries(username, '198.51.102.1', 6);
    await Promise.allSettled(Array.from({ length: 120 }, (_, n) => throttle().reserve(from(n))));
    for (let n = 0; n < 10; n += 1) await throttle().reservePasswordChange(adminId);
    await tries('bystander', '198.51.100.4', 6);
    const closed = () => throttle().reservePasswordChange(adminId);
    await expect(throttle().reserve(from(1))).rejects.toThrow('Too many attempts');
    await expect(throttle().reserve(from(200))).rejects.toThrow('Too many attempts');
    await expect(closed()).rejects.toThrow('Too many attempts');

    await forgetAttempts(meridian.db, { id: adminId, username });
    await throttle().reserve(from(1));
    await throttle().reserve(from(200));
    await closed();
    const bystander = { username: 'bystander', address: '198.51.100.4' };
    await expect(throttle().reserve(bystander)).rejects.toThrow('Too many attempts');
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
