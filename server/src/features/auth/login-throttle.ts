import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import * as store from './attempt-buckets.store.ts';
import type { OnFirstRefusal } from './attempt-buckets.store.ts';
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

const nameKey = (name: string) => `name ${name}`;
const adminKey = (adminId: string) => `admin ${adminId}`;

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
        who: `network ${network}`,
        what: 'any name',
        limit: limits.attemptsPerNetwork,
        windowSeconds: 5 * MINUTE,
        pause: 'window',
      },
      pair: {
        who: nameKey(name),
        what: `from ${network}`,
        limit: limits.failures,
        windowSeconds: 15 * MINUTE,
        pause: 'doubling',
      },
      name: {
        who: nameKey(name),
        what: 'from unknown networks',
        limit: limits.failuresPerName,
        windowSeconds: 60 * MINUTE,
        pause: 'steady',
      },
      streak: {
        who: nameKey(name),
        what: 'in a row',
        limit: limits.failuresInARow,
        windowSeconds: FOREVER,
        pause: 'closed',
      },
    }) satisfies Record<string, store.Bucket>;

  async function reserve(bucket: store.Bucket, onFirstRefusal?: OnFirstRefusal): Promise<void> {
    const wait = await store.reserveAttempt(db, bucket, onFirstRefusal);
    if (wait > 0) throw new AppError('too_many_requests', { retryAfterSeconds: wait });
  }

  return {
    /**
     * Throws when this attempt may not be made now. Counts it before the password is looked at.
     * `onFirstRefusal` hears of one attempt until another was let through: of a flood, once.
     */
    async reserve(
      { username, address }: LoginAttempt,
      onFirstRefusal?: OnFirstRefusal,
    ): Promise<void> {
      const name = username ?? '';
      const network = networkOf(address);
      const buckets = bucketsOf(name, network);
      await reserve(buckets.network, onFirstRefusal);
      await reserve(buckets.pair, onFirstRefusal);
      if (await store.isKnownNetwork(db, name, network)) return;
      await reserve(buckets.name, onFirstRefusal);
      await reserve(buckets.streak, onFirstRefusal);
    },

    /** The attempt was right: what was counted against the name is forgotten, its network known. */
    async succeeded({ username, address }: LoginAttempt): Promise<void> {
      const name = username ?? '';
      const network = networkOf(address);
      const { pair, name: perName, streak } = bucketsOf(name, network);
      await store.clearBuckets(db, [pair, perName, streak]);
      await store.rememberNetwork(db, name, network);
    },

    /** Throws when this administrator has tried to change the password too often. */
    async reservePasswordChange(adminId: string, onFirstRefusal?: OnFirstRefusal): Promise<void> {
      const bucket = {
        who: adminKey(adminId),
        what: 'password change',
        limit: limits.passwordChanges,
        windowSeconds: 10 * MINUTE,
        pause: 'window',
      } as const;
      await reserve(bucket, onFirstRefusal);
    },

    /** Housekeeping, for a timer. */
    deleteOld: (): Promise<void> => store.deleteOldBuckets(db),
  };
}

/** Lifts every wait that failed attempts have brought on an administrator, from wherever they came. */
export async function forgetAttempts(
  db: Db,
  admin: { id: string; username: string },
): Promise<void> {
  await store.clearAllBuckets(db, [nameKey(admin.username), adminKey(admin.id)]);
}
