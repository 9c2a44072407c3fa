import { authLogin, authPassword } from '@meridian/contract/auth';
import { beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { pass } from '../../../test/cluster/stopped-clock.ts';
import { callsThrough, refusingGate } from '../../../test/hash-counter.ts';
import { queueUp } from '../../../test/queue-up.ts';
import { sql } from '../../db/sql.ts';
import { deleteOldBuckets, refundAttempt, reserveAttempt } from './attempts.store.ts';
import type { Bucket, CountedAttempt } from './attempts.store.ts';
import { clearAttemptsOf, createKnownNetworks, createSignInLimits } from './sign-in-limits.ts';

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

describe.each(EITHER)('sign-in limits on %s', (engine) => {
  // Every call comes from one address; the tests look at the limits of a name.
  const env = { LOGIN_ATTEMPTS_PER_NETWORK: '10000' };
  const meridian = setUpApp(engine, { env, isClockStopped: true });

  const limits = () => createSignInLimits(meridian.db, LIMITS);
  const tries = (name: string, address: string, count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, () => limits().reserve({ username: name, address })),
    );

  test('thirty attempts at once: exactly five are verified', async () => {
    expect(allowed(await tries('burst', '198.51.100.1', 30))).toBe(5);
  });

  test('the wait doubles with each further failure, in seconds', async () => {
    await tries('patient', '198.51.100.2', 5);
    for (const seconds of [1, 2, 4, 8]) {
      await expect(
        limits().reserve({ username: 'patient', address: '198.51.100.2' }),
      ).rejects.toMatchObject({
        code: 'too_many_requests',
        retryAfterSeconds: seconds,
      });
      await pass(meridian.db, seconds);
      await limits().reserve({ username: 'patient', address: '198.51.100.2' });
    }
    await pass(meridian.db, 15 * 60);
    expect(allowed(await tries('patient', '198.51.100.2', 6))).toBe(5);
  });

  test('one network cannot try many names', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        limits().reserve({ username: `name-${index}`, address: '198.51.100.3' }),
      ),
    );
    expect(allowed(results)).toBe(30);
    await pass(meridian.db, 5 * 60 + 1);
    await limits().reserve({ username: 'name-41', address: '198.51.100.3' });
  });

  test('unknown networks share one limit per name, and never delay a known network', async () => {
    const { username } = await meridian.signIn();
    await limits().succeeded({ username, address: '203.0.113.1' });
    const from = (index: number) => ({ username, address: `198.51.101.${index}` });
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => limits().reserve(from(index))),
    );
    expect(allowed(results)).toBe(20);
    await limits().reserve({ username, address: '203.0.113.1' });

    // A hundred in a row, however slowly: then only a sign-in from a known network opens it again.
    for (let index = 0; index < 80; index += 1) {
      await pass(meridian.db, 3601);
      await limits().reserve(from(index % 200));
    }
    await pass(meridian.db, 3601);
    await expect(limits().reserve(from(201))).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    await limits().reserve({ username, address: '203.0.113.1' });
    await limits().succeeded({ username, address: '203.0.113.1' });
    await limits().reserve(from(202));
  });

  test('of concurrent refusals because a name is closed, one is reported', async () => {
    const closing = createSignInLimits(meridian.db, {
      ...LIMITS,
      failuresPerName: 3,
      failuresInARow: 2,
    });
    let reported = 0;
    const from = (index: number) => () =>
      closing
        .reserve({ username: 'closed', address: `198.51.103.${index}` }, async () => {
          reported += 1;
        })
        .then(
          () => 'allowed',
          (error: { code: string }) => error.code,
        );
    expect([await from(1)(), await from(2)()]).toEqual(['allowed', 'allowed']);
    // One more would reach the hourly limit. Each arrives before the other is refused.
    const lock = sql`select from attempt_buckets where blocked_until = 'infinity' for update`;
    for (const index of [10, 20]) {
      const responses = await queueUp(meridian.db, lock, [from(index), from(index + 1)]);
      expect(responses).toEqual(['too_many_requests', 'too_many_requests']);
    }
    expect(reported).toBe(1);
  });

  test('the response is 429 with Retry-After, for unknown names too', async () => {
    const { username } = await meridian.signIn();
    for (const name of [username, 'unknown-name']) {
      const responses = [];
      for (let attempt = 0; attempt < 6; attempt += 1) {
        responses.push(
          await meridian.call(authLogin, { body: { username: name, password: 'wrong' } }),
        );
      }
      expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
      expect(responses.at(-1)?.headers['retry-after']).toBe('1');
    }
  });

  test('headers and extra fields give no further attempts', async () => {
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

  test('of a hundred calls at once five are hashed', async () => {
    const gate = refusingGate();
    const call = await callsThrough(meridian, gate);
    const body = { username: 'crowd', password: 'wrong' };
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => call(authLogin, { body })),
    );
    // On a slow machine most wait too long to be counted; then these use up the rest.
    for (let n = 0; n < 5; n += 1) responses.push(await call(authLogin, { body }));
    expect(gate.count).toBe(5);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('forty spellings of a name share one limit', async () => {
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

  test('unlocking clears every bucket of the name, for all networks, and no other', async () => {
    const { username, adminId } = await meridian.signIn();
    const from = (index: number) => ({ username, address: `198.51.102.${index}` });
    await tries(username, '198.51.102.1', 6);
    await Promise.allSettled(Array.from({ length: 120 }, (_, n) => limits().reserve(from(n))));
    for (let n = 0; n < 10; n += 1) await limits().reservePasswordChange(adminId);
    await tries('bystander', '198.51.100.4', 6);
    const closed = () => limits().reservePasswordChange(adminId);
    await expect(limits().reserve(from(1))).rejects.toThrow('Too many attempts');
    await expect(limits().reserve(from(200))).rejects.toThrow('Too many attempts');
    await expect(closed()).rejects.toThrow('Too many attempts');

    await clearAttemptsOf(meridian.db, { id: adminId, username });
    await limits().reserve(from(1));
    await limits().reserve(from(200));
    await closed();
    const bystander = { username: 'bystander', address: '198.51.100.4' };
    await expect(limits().reserve(bystander)).rejects.toThrow('Too many attempts');
  });

  test('password changes are limited too', async () => {
    const { token } = await meridian.signIn();
    const body = { currentPassword: 'wrong', newPassword: 'another-good-one' };
    const responses = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      responses.push(await meridian.call(authPassword, { token, body }));
    }
    expect(responses.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 400),
      429,
    ]);
  });

  test('no name is stored in plain text', async () => {
    await tries('my-secret-password', '198.51.100.9', 1);
    const rows = await meridian.db.many<{ row: string }>(
      sql`select attempt_buckets::text as row from attempt_buckets`,
    );
    expect(rows.some(({ row }) => row.includes('my-secret-password'))).toBe(false);
  });
});

const LIMIT = 3;

const bucketOf = (subject: string): Bucket => ({
  subject,
  purpose: 'a test',
  limit: LIMIT,
  windowSeconds: 900,
  backoff: 'rest-of-window',
});

describe.each(EITHER)('attempt buckets on %s', (engine) => {
  const api = setUpApp(engine);
  beforeEach(() => api.db.execute(sql`delete from attempt_buckets`));

  const counted = async (bucket: Bucket): Promise<CountedAttempt> => {
    const reserved = await reserveAttempt(api.db, bucket);
    if (reserved.counted === null) throw new Error('Not counted');
    return reserved.counted;
  };
  /** The attempts of every bucket, in ascending order. */
  const attempts = async () => {
    const rows = await api.db.many<{ attempts: number }>(
      sql`select attempts from attempt_buckets order by attempts`,
    );
    return rows.map((row) => row.attempts);
  };

  test('are deleted with the last refund', async () => {
    const bucket = bucketOf('refunded');
    const given = [await counted(bucket), await counted(bucket), await counted(bucket)];
    expect((await reserveAttempt(api.db, bucket)).counted).toBeNull();
    const left = [];
    for (const count of given) {
      await refundAttempt(api.db, count);
      left.push(...(await attempts()));
    }
    expect(left).toEqual([2, 1]);
    expect(await attempts()).toEqual([]);
    await counted(bucket);
    // Of the deleted bucket, not of this one.
    for (const count of given) await refundAttempt(api.db, count);
    expect(await attempts()).toEqual([1]);
  });

  test.each(['the refund', 'the new attempt'])(
    'count an attempt that is concurrent with the last refund: %s first',
    async (first) => {
      const bucket = bucketOf(`a race, ${first}`);
      const early = await counted(bucket);
      const refund = () => refundAttempt(api.db, early);
      const count = () => reserveAttempt(api.db, bucket);
      const calls = first === 'the new attempt' ? [count, refund] : [refund, count];
      await queueUp(api.db, sql`select from attempt_buckets for update`, calls);
      expect(await attempts()).toEqual([1]);
    },
  );

  test('are deleted after a day unless closed, and the oldest beyond the maximum', async () => {
    await api.db.execute(sql`
      insert into attempt_buckets (key, attempts, started_at, blocked_until, allowed, updated_at)
      select sha256(hours::text::bytea), hours, now(), case hours when 30 then timestamptz 'infinity' end,
             true, now() - make_interval(hours => hours)
      from unnest(array[1, 2, 3, 4, 25, 30]) as hours`);
    await deleteOldBuckets(api.db);
    expect(await attempts()).toEqual([1, 2, 3, 4, 30]);
    await deleteOldBuckets(api.db, 5);
    expect(await attempts()).toEqual([1, 2, 3, 4, 30]);
    await deleteOldBuckets(api.db, 2);
    expect(await attempts()).toEqual([1, 2]);
  });
});

const ana = { name: 'ana', network: '203.0.113.1' };
const ben = { name: 'ben', network: '203.0.113.2' };
const eva = { name: 'eva', network: '203.0.113.3' };

test('a network is known for a name, not for others', () => {
  const known = createKnownNetworks();
  known.add(ana);
  expect(known.has({ ...ana })).toBe(true);
  expect(known.has({ ...ana, network: ben.network })).toBe(false);
  expect(known.has({ ...ana, name: ben.name })).toBe(false);
});

test('the least recently used is dropped first', () => {
  const known = createKnownNetworks(2);
  for (const one of [ana, ben, ana, eva]) known.add(one);
  expect([ana, ben, eva].map((one) => known.has(one))).toEqual([true, false, true]);
});
