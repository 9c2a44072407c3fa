import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import * as store from './attempt-buckets.store.ts';
import { createConcurrencyLimit } from '../../http/concurrency-limit.ts';
import { createKnownVisitors } from './known-visitors.ts';
import type { Visitor } from './known-visitors.ts';
import { networkOf } from '../../http/client-network.ts';

/** Hears of one refused attempt until another was let through: of a flood, once. */
export type OnFirstRefusal = () => Promise<void>;

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
const AT_THE_DATABASE = { atOnce: 3, queue: 64, waitMs: 1_500, reserved: 8 };

const MINUTE = 60;
const FOREVER = 100 * 365 * 24 * 60 * MINUTE;

/**
 * Bounds guessing without handing anybody the means to lock an administrator out: what strangers
 * do from elsewhere never counts against a network the administrator has signed in from before, and
 * there the administrator keeps a reserve. Unknown names are counted like known ones.
 */
export function createLoginThrottle(db: Database, limits: LoginLimits) {
  const gate = createConcurrencyLimit(AT_THE_DATABASE);
  const visitors = createKnownVisitors();

  const bucketsOf = ({ name, network }: Visitor) =>
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
      reserve: {
        who: nameKey(name),
        what: `reserve from ${network}`,
        limit: 1,
        windowSeconds: FOREVER,
        pause: 'steady',
        closesAt: limits.failuresInARow,
      },
      networkReserve: {
        who: nameKey(name),
        what: `beyond the budget of ${network}`,
        limit: limits.attemptsPerNetwork,
        windowSeconds: 5 * MINUTE,
        pause: 'window',
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
    async function refuse({ waitSeconds, isFirst }: store.Refusal): Promise<never> {
      if (isFirst) await onFirstRefusal?.();
      throw new AppError('too_many_requests', { retryAfterSeconds: waitSeconds });
    }
    async function countForNow(bucket: store.Bucket): Promise<void> {
      const reserved = await store.reserveAttempt(db, bucket);
      counts.push(reserved.count ?? (await refuse(reserved)));
    }
    return { counts, orGiveBack, refuse, countForNow };
  }

  type Buckets = ReturnType<typeof bucketsOf>;
  type Counting = ReturnType<typeof beginReservation>;

  async function countUnknown(buckets: Buckets, { countForNow }: Counting): Promise<void> {
    await countForNow(buckets.pair);
    // What may be closed for good comes first: nothing is counted then that would be given back,
    // and so begin and end a wait of its own with every attempt.
    await countForNow(buckets.streak);
    await countForNow(buckets.name);
  }

  /** In the reserve once the pair's own budget is used up. Only a refusal by both is told of. */
  async function countKnown(buckets: Buckets, { counts, refuse }: Counting): Promise<void> {
    const own = await store.reserveAttempt(db, buckets.pair);
    const reserved = own.count === null ? await store.reserveAttempt(db, buckets.reserve) : own;
    if (reserved.count !== null) counts.push(reserved.count);
    else if (own.count === null) {
      const waitSeconds = Math.min(own.waitSeconds, reserved.waitSeconds);
      await refuse({ ...reserved, waitSeconds });
    }
  }

  /**
   * Where all clients share an address, as behind a proxy that is not trusted, others use up the
   * budget of the network and even that of the pair: a known pair has a reserve beyond both.
   */
  async function counted(visitor: Visitor, onFirstRefusal?: OnFirstRefusal): Promise<Reservation> {
    const buckets = bucketsOf(visitor);
    const counting = beginReservation(onFirstRefusal);
    const { refuse, orGiveBack } = counting;
    // Never given back: it bounds what one network may ask of this server, not what it may guess.
    const shared = await store.reserveAttempt(db, buckets.network);
    const isKnown = await store.isKnownNetwork(db, visitor.name, visitor.network);
    if (isKnown) visitors.add(visitor);
    else if (shared.count === null) await refuse(shared);
    return orGiveBack(async () => {
      await (isKnown ? countKnown : countUnknown)(buckets, counting);
      if (shared.count === null) {
        // Last, so that only attempts whose password will be verified use it up.
        const reserved = await store.reserveAttempt(db, buckets.networkReserve);
        if (reserved.count === null) await refuse(reserved);
      }
      return { isKnown, spend: orGiveBack };
    });
  }

  return {
    /**
     * Throws when this attempt may not be made now. Counts it before the password is looked at.
     */
    async reserve(attempt: LoginAttempt, onFirstRefusal?: OnFirstRefusal): Promise<Reservation> {
      const visitor = visitorOf(attempt);
      return gate.run(() => counted(visitor, onFirstRefusal), { isKnown: visitors.has(visitor) });
    },

    /** The attempt was right: what was counted against the name is forgotten, its network known. */
    async succeeded(attempt: LoginAttempt): Promise<void> {
      const visitor = visitorOf(attempt);
      const { pair, reserve, name, streak } = bucketsOf(visitor);
      await store.clearBuckets(db, [pair, reserve, name, streak]);
      await store.rememberNetwork(db, visitor.name, visitor.network);
      visitors.add(visitor);
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
