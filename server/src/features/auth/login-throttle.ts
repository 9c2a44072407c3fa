import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import * as store from './attempt-buckets.store.ts';
import { networkOf } from './network.ts';

/** One attempt, before its password is looked at. */
export type LoginAttempt = { username: string | null; address: string };

export type LoginLimits = {
  failures: number;
  attemptsPerNetwork: number;
  failuresPerName: number;
  failuresInARow: number;
  passwordChanges: number;
};

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

const MINUTE = 60;
const FOREVER = 100 * 365 * 24 * 60 * MINUTE;

/**
 * Bounds guessing without handing anybody the means to lock an administrator out: what strangers
 * do from elsewhere never counts against a network the administrator has signed in from before.
 * Unknown names are counted like known ones, so a refusal tells nothing.
 */
export function createLoginThrottle(db: Database, limits: LoginLimits) {
  const bucketsOf = (name: string, network: string) =>
    ({
      network: {
        key: `network ${network}`,
        limit: limits.attemptsPerNetwork,
        windowSeconds: 5 * MINUTE,
        pause: 'window',
      },
      pair: {
        key: `pair ${network} ${name}`,
        limit: limits.failures,
        windowSeconds: 15 * MINUTE,
        pause: 'doubling',
      },
      name: {
        key: `name ${name}`,
        limit: limits.failuresPerName,
        windowSeconds: 60 * MINUTE,
        pause: 'steady',
      },
      streak: {
        key: `streak ${name}`,
        limit: limits.failuresInARow,
        windowSeconds: FOREVER,
        pause: 'closed',
      },
    }) satisfies Record<string, store.Bucket>;

  async function reserve(bucket: store.Bucket): Promise<void> {
    const wait = await store.reserveAttempt(db, bucket);
    if (wait > 0) throw new AppError('too_many_requests', { retryAfterSeconds: wait });
  }

  return {
    /** Throws when this attempt may not be made now. Counts it before the password is looked at. */
    async reserve({ username, address }: LoginAttempt): Promise<void> {
      const name = username ?? '';
      const network = networkOf(address);
      const buckets = bucketsOf(name, network);
      await reserve(buckets.network);
      await reserve(buckets.pair);
      if (await store.isKnownNetwork(db, name, network)) return;
      await reserve(buckets.name);
      await reserve(buckets.streak);
    },

    /** The attempt was right: what was counted against the name is forgotten, its network known. */
    async succeeded({ username, address }: LoginAttempt): Promise<void> {
      const name = username ?? '';
      const network = networkOf(address);
      const { pair, name: perName, streak } = bucketsOf(name, network);
      await store.clearBuckets(db, [pair.key, perName.key, streak.key]);
      await store.rememberNetwork(db, name, network);
    },

    /** Throws when this administrator has tried to change the password too often. */
    reservePasswordChange: (adminId: string): Promise<void> =>
      reserve({
        key: `password ${adminId}`,
        limit: limits.passwordChanges,
        windowSeconds: 10 * MINUTE,
        pause: 'window',
      }),

    /** Housekeeping, for a timer. */
    deleteOld: (): Promise<void> => store.deleteOldBuckets(db),
  };
}
