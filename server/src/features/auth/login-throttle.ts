import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import * as store from './attempt-buckets.store.ts';
import type { OnFirstRefusal } from './attempt-buckets.store.ts';
import { createGate } from './gate.ts';
import { createKnownVisitors } from './known-visitors.ts';
import type { Visitor } from './known-visitors.ts';
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

/** An attempt that may be made, and is counted. */
export type Reservation = {
  /** Whether whoever makes it has been here before: signed in, or from a network they signed in from. */
  readonly isKnown: boolean;
  /** Looks at the password. When that fails, nothing was learnt of it: the attempt is not counted. */
  readonly spend: <T>(look: () => Promise<T>) => Promise<T>;
};

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

const nameKey = (name: string) => `name ${name}`;
const adminKey = (adminId: string) => `admin ${adminId}`;

/**
 * Sign-ins that may be at the database at once to be counted. Each asks several times, and anybody may
 * send as many as they like: without a bound they would hold every connection, and whoever is signed
 * in would wait behind them. More wait their turn here; to be refused is a matter of milliseconds.
 */
const AT_THE_DATABASE = { atOnce: 3, queue: 64, waitMs: 1_500, keptPlaces: 8 };

const MINUTE = 60;
const FOREVER = 100 * 365 * 24 * 60 * MINUTE;

/**
 * Bounds guessing without handing anybody the means to lock an administrator out: what strangers
 * do from elsewhere never counts against a network the administrator has signed in from before.
 * Unknown names are counted like known ones, so a refusal tells nothing.
 */
export function createLoginThrottle(db: Database, limits: LoginLimits) {
  const gate = createGate(AT_THE_DATABASE);
  const visitors = createKnownVisitors();

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

  /** One attempt in several respects. What is counted before a refusal or a failure is given back. */
  function beginReservation(onFirstRefusal?: OnFirstRefusal) {
    const counts: store.Count[] = [];
    async function orGiveBack<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        // The failure that led here is the one to tell. A database that is gone keeps the count.
        for (const one of counts) await store.giveBackAttempt(db, one).catch(() => {});
        throw error;
      }
    }
    async function count(bucket: store.Bucket): Promise<store.Count> {
      const reserved = await store.reserveAttempt(db, bucket, onFirstRefusal);
      if (reserved.count !== null) return reserved.count;
      throw new AppError('too_many_requests', { retryAfterSeconds: reserved.waitSeconds });
    }
    async function countForNow(bucket: store.Bucket): Promise<void> {
      counts.push(await count(bucket));
    }
    return { orGiveBack, count, countForNow };
  }

  async function counted(
    { name, network }: Visitor,
    onFirstRefusal?: OnFirstRefusal,
  ): Promise<Reservation> {
    const buckets = bucketsOf(name, network);
    const { count, countForNow, orGiveBack } = beginReservation(onFirstRefusal);
    // Never given back: it bounds what one network may ask of this server, not what it may guess.
    await count(buckets.network);
    return orGiveBack(async () => {
      await countForNow(buckets.pair);
      const isKnown = await store.isKnownNetwork(db, name, network);
      if (isKnown) {
        visitors.add({ name, network });
      } else {
        // What may be closed for good comes first: nothing is counted then that would be given back,
        // and so begin and end a wait of its own with every attempt.
        await countForNow(buckets.streak);
        await countForNow(buckets.name);
      }
      return { isKnown, spend: orGiveBack };
    });
  }

  return {
    /**
     * Throws when this attempt may not be made now. Counts it before the password is looked at.
     * `onFirstRefusal` hears of one attempt until another was let through: of a flood, once.
     */
    async reserve(attempt: LoginAttempt, onFirstRefusal?: OnFirstRefusal): Promise<Reservation> {
      const visitor = visitorOf(attempt);
      return gate.run(() => counted(visitor, onFirstRefusal), { isKnown: visitors.has(visitor) });
    },

    /** The attempt was right: what was counted against the name is forgotten, its network known. */
    async succeeded(attempt: LoginAttempt): Promise<void> {
      const { name, network } = visitorOf(attempt);
      const { pair, name: perName, streak } = bucketsOf(name, network);
      await store.clearBuckets(db, [pair, perName, streak]);
      await store.rememberNetwork(db, name, network);
      visitors.add({ name, network });
    },

    /** For a start in the middle of a flood: who signed in lately has a kept place from the first. */
    async recallVisitors(): Promise<void> {
      const latestFirst = await store.listKnownNetworks(db, visitors.most);
      for (const visitor of latestFirst.toReversed()) visitors.add(visitor);
    },

    /** Throws when this administrator has tried to change the password too often. */
    async reservePasswordChange(
      adminId: string,
      onFirstRefusal?: OnFirstRefusal,
    ): Promise<Reservation> {
      const { countForNow, orGiveBack } = beginReservation(onFirstRefusal);
      await countForNow({
        who: adminKey(adminId),
        what: 'password change',
        limit: limits.passwordChanges,
        windowSeconds: 10 * MINUTE,
        pause: 'window',
      });
      return { isKnown: true, spend: orGiveBack };
    },

    /** Housekeeping, for a timer. */
    deleteOld: (): Promise<void> => store.deleteOldBuckets(db),
  };
}

function visitorOf({ username, address }: LoginAttempt): Visitor {
  return { name: username ?? '', network: networkOf(address) };
}

/** Lifts every wait that failed attempts have brought on an administrator, from wherever they came. */
export async function forgetAttempts(
  db: Db,
  admin: { id: string; username: string },
): Promise<void> {
  await store.clearAllBuckets(db, [nameKey(admin.username), adminKey(admin.id)]);
}
