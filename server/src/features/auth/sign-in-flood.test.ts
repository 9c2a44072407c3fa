import { authMe } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { begun, untilWaiting, whileLocked } from '../../../test/queue-up.ts';
import { sql } from '../../db/sql.ts';
import { createLoginThrottle } from './login-throttle.ts';
import type { LoginThrottle, Reservation } from './login-throttle.ts';

const LIMITS = {
  failures: 5,
  // Of a flood from one network all but the first are refused, after one question each.
  attemptsPerNetwork: 1,
  failuresPerName: 20,
  failuresInARow: 100,
  passwordChanges: 10,
};
const AT_ONCE = 3;
const QUEUE = 64;
const HOME = '203.0.113.1';

/** As many at once as may wait. */
const flood = (throttle: LoginThrottle, address: string) =>
  Array.from({ length: AT_ONCE + QUEUE }, (_, index) =>
    begun(() => throttle.reserve({ username: `stranger-${index}`, address })),
  );

describe.each(ENGINES)('a flood of sign-ins, on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  afterAll(() => api.close());

  /** Holds up whoever is to be counted, so that a flood is as full as it can be. */
  const counting = sql`lock table attempt_buckets in exclusive mode`;
  const newThrottle = () => createLoginThrottle(api.db, LIMITS);

  test('takes three connections and leaves the rest to those who are signed in', async () => {
    const { token } = await api.signIn();
    const throttle = newThrottle();
    let strangers: Promise<Reservation>[] = [];
    await whileLocked(api.db, counting, async () => {
      strangers = flood(throttle, '198.51.100.1');
      await untilWaiting(api.db, AT_ONCE);
      // The one that holds the lock, and the three.
      const { open, idle, waiting } = api.db.poolLoad();
      expect({ busy: open - idle, waiting }).toEqual({ busy: 1 + AT_ONCE, waiting: 0 });
      expect((await api.call(authMe, { token })).status).toBe(200);
      await expect(
        throttle.reserve({ username: 'one-more', address: '198.51.100.1' }),
      ).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    });
    const outcomes = await Promise.allSettled(strangers);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    [
      'somebody who signed in here before',
      (throttle: LoginThrottle, username: string) =>
        throttle.succeeded({ username, address: HOME }),
    ],
    [
      'somebody who signed in before the last start',
      async (throttle: LoginThrottle, username: string) => {
        await newThrottle().succeeded({ username, address: HOME });
        await throttle.recallVisitors();
      },
    ],
  ])('does not keep out %s', async (_, meet) => {
    await api.db.execute(sql`delete from attempt_buckets`);
    const { username } = await api.signIn();
    const throttle = newThrottle();
    await meet(throttle, username);
    let strangers: Promise<Reservation>[] = [];
    const known: Promise<Reservation>[] = [];
    await whileLocked(api.db, counting, async () => {
      strangers = flood(throttle, '198.51.100.2');
      await untilWaiting(api.db, AT_ONCE);
      known.push(begun(() => throttle.reserve({ username, address: HOME })));
      // The same name from elsewhere, and another one from there.
      for (const stranger of [
        { username, address: '198.51.100.3' },
        { username: `not-${username}`, address: HOME },
      ]) {
        await expect(throttle.reserve(stranger)).rejects.toMatchObject({ code: 'unavailable' });
      }
    });
    expect(await known[0]).toMatchObject({ isKnown: true });
    await Promise.allSettled(strangers);
  });
});
