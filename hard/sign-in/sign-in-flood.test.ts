import { authMe } from '@meridian/contract/auth';
import { describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { createSignInLimits } from '../../server/src/features/sign-in-limits/sign-in-limits.ts';
import type {
  Reservation,
  SignInLimits,
} from '../../server/src/features/sign-in-limits/sign-in-limits.ts';
import { EITHER, setUpApp } from '../../server/test/app.ts';
import { begun, untilWaiting, whileLocked } from '../../server/test/queue-up.ts';

const LIMITS = {
  failures: 5,
  // All but the first of a flood from one network are refused, after one statement each.
  attemptsPerNetwork: 1,
  failuresPerName: 20,
  failuresInARow: 100,
  passwordChanges: 10,
};
const AT_ONCE = 3;
const QUEUE = 64;
const KNOWN = '203.0.113.1';

/** Fills all slots and the queue. */
const flood = (limits: SignInLimits, address: string) =>
  Array.from({ length: AT_ONCE + QUEUE }, (_, index) =>
    begun(() => limits.reserve({ username: `unknown-${index}`, address })),
  );

describe.each(EITHER)('a flood of sign-ins on %s', (engine) => {
  const api = setUpApp(engine);

  /** Blocks counting, so that slots and queue stay full. */
  const counting = sql`lock table attempt_buckets in exclusive mode`;
  const newLimits = () => createSignInLimits(api.db, LIMITS);

  test('takes three connections and leaves the others to signed-in administrators', async () => {
    const { token } = await api.signIn();
    const limits = newLimits();
    let unknown: Promise<Reservation>[] = [];
    await whileLocked(api.db, counting, async () => {
      unknown = flood(limits, '198.51.100.1');
      await untilWaiting(api.db, AT_ONCE);
      // The connection that holds the lock, and the three.
      const { open, idle, waiting } = api.db.poolLoad();
      expect({ busy: open - idle, waiting }).toEqual({ busy: 1 + AT_ONCE, waiting: 0 });
      expect((await api.call(authMe, { token })).status).toBe(200);
      await expect(
        limits.reserve({ username: 'one-more', address: '198.51.100.1' }),
      ).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    });
    const outcomes = await Promise.allSettled(unknown);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    [
      'an administrator who signed in through this process',
      (limits: SignInLimits, username: string) => limits.succeeded({ username, address: KNOWN }),
    ],
    [
      'an administrator who signed in before the last start',
      async (limits: SignInLimits, username: string) => {
        await newLimits().succeeded({ username, address: KNOWN });
        await limits.loadKnownNetworks();
      },
    ],
  ])('does not keep out %s', async (_, signInBefore) => {
    await api.db.execute(sql`delete from attempt_buckets`);
    const { username } = await api.signIn();
    const limits = newLimits();
    await signInBefore(limits, username);
    let unknown: Promise<Reservation>[] = [];
    const known: Promise<Reservation>[] = [];
    await whileLocked(api.db, counting, async () => {
      unknown = flood(limits, '198.51.100.2');
      await untilWaiting(api.db, AT_ONCE);
      known.push(begun(() => limits.reserve({ username, address: KNOWN })));
      // The same name from another network, and another name from the known network.
      for (const attempt of [
        { username, address: '198.51.100.3' },
        { username: `not-${username}`, address: KNOWN },
      ]) {
        await expect(limits.reserve(attempt)).rejects.toMatchObject({ code: 'unavailable' });
      }
    });
    expect(await known[0]).toMatchObject({ isKnown: true });
    await Promise.allSettled(unknown);
  });
});
