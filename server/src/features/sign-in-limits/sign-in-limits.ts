import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import { createConcurrencyLimit } from '../../http/limits.ts';
import * as store from './attempts.store.ts';

type OnFirstRefusal = () => Promise<void>;

/** A null user name cannot be one; such attempts share the buckets of the empty name. */
export type SignInAttempt = { username: string | null; address: string };

export type Reservation = {
  readonly isKnown: boolean;
  /** If the verification throws, no password was verified, and the attempt is refunded. */
  readonly run: <T>(verify: () => Promise<T>) => Promise<T>;
};

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/** Without this limit a flood would take every connection of the pool. */
const COUNTING = { atOnce: 3, queue: 64, waitMs: 1_500, reserved: 8 };

/** Attempts from other networks never count against a known one, so no attacker locks a name out. */
export function createSignInLimits(db: Database, settings: SignInLimitSettings) {
  const counting = createConcurrencyLimit(COUNTING);
  const knownNetworks = createKnownNetworks();

  function startCount(onFirstRefusal?: OnFirstRefusal) {
    const counts: store.CountedAttempt[] = [];
    async function orRefund<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        // The first error is the one to report. Without a database the attempt stays counted.
        for (const counted of counts) await store.refundAttempt(db, counted).catch(() => {});
        throw error;
      }
    }
    async function refuse({ waitSeconds, isFirst }: store.Refusal): Promise<never> {
      if (isFirst) await onFirstRefusal?.();
      throw new AppError('too_many_requests', { retryAfterSeconds: waitSeconds });
    }
    async function count(bucket: store.Bucket): Promise<void> {
      const reserved = await store.reserveAttempt(db, bucket);
      counts.push(reserved.counted ?? (await refuse(reserved)));
    }
    return { counts, orRefund, refuse, count };
  }
  type Count = ReturnType<typeof startCount>;

  async function countUnknown(buckets: SignInBuckets, { count }: Count): Promise<void> {
    await count(buckets.pair);
    // This comes before the name: once the bucket is closed, nothing else is counted and refunded again.
    await count(buckets.consecutive);
    await count(buckets.name);
  }

  async function countKnown(buckets: SignInBuckets, { counts, refuse }: Count): Promise<void> {
    const pair = await store.reserveAttempt(db, buckets.pair);
    if (pair.counted !== null) return void counts.push(pair.counted);
    const reserve = await store.reserveAttempt(db, buckets.pairReserve);
    if (reserve.counted !== null) return void counts.push(reserve.counted);
    const waitSeconds = Math.min(pair.waitSeconds, reserve.waitSeconds);
    await refuse({ ...reserve, waitSeconds });
  }

  async function countSignIn(
    source: store.NameAndNetwork,
    onFirstRefusal?: OnFirstRefusal,
  ): Promise<Reservation> {
    const buckets = signInBuckets(source, settings);
    const count = startCount(onFirstRefusal);
    // This is never refunded: it limits what one network may ask of this server, not what it may guess.
    const network = await store.reserveAttempt(db, buckets.network);
    const isKnown = await store.isKnownNetwork(db, source);
    if (isKnown) knownNetworks.add(source);
    else if (network.counted === null) await count.refuse(network);
    return count.orRefund(async () => {
      await (isKnown ? countKnown : countUnknown)(buckets, count);
      if (network.counted === null) {
        // The reserve comes last, so that only attempts whose password will be verified use it up.
        const reserve = await store.reserveAttempt(db, buckets.networkReserve);
        if (reserve.counted === null) await count.refuse(reserve);
      }
      return { isKnown, run: count.orRefund };
    });
  }

  return {
    async reserve(attempt: SignInAttempt, onFirstRefusal?: OnFirstRefusal): Promise<Reservation> {
      const source = sourceOf(attempt);
      const isKnown = knownNetworks.has(source);
      return counting.run(() => countSignIn(source, onFirstRefusal), { isKnown });
    },

    async succeeded(attempt: SignInAttempt): Promise<void> {
      const source = sourceOf(attempt);
      const { pair, pairReserve, name, consecutive } = signInBuckets(source, settings);
      await store.clearBuckets(db, [pair, pairReserve, name, consecutive]);
      await store.rememberNetwork(db, source);
      knownNetworks.add(source);
    },

    /** Known networks have priority even if the process starts during a flood. */
    async loadKnownNetworks(): Promise<void> {
      const latestFirst = await store.listKnownNetworks(db, knownNetworks.maxSize);
      for (const source of latestFirst.toReversed()) knownNetworks.add(source);
    },

    async reservePasswordChange(
      adminId: string,
      onFirstRefusal?: OnFirstRefusal,
    ): Promise<Reservation> {
      const { count, orRefund } = startCount(onFirstRefusal);
      await count({
        subject: adminSubject(adminId),
        purpose: 'password change',
        limit: settings.passwordChanges,
        windowSeconds: 10 * MINUTE,
        backoff: 'rest-of-window',
      });
      return { isKnown: true, run: orRefund };
    },

    async deleteOld(): Promise<void> {
      await store.deleteOldBuckets(db);
      await store.deleteOldFailures(db);
    },
  };
}

function sourceOf({ username, address }: SignInAttempt): store.NameAndNetwork {
  return { name: username ?? '', network: networkOf(address) };
}

export async function clearAttemptsOf(
  db: Db,
  admin: { id: string; username: string },
): Promise<void> {
  await store.clearBucketsOf(db, [nameSubject(admin.username), adminSubject(admin.id)]);
}

export type SignInLimitSettings = {
  failures: number;
  attemptsPerNetwork: number;
  failuresPerName: number;
  failuresInARow: number;
  passwordChanges: number;
};

const nameSubject = (name: string) => `name ${name}`;
const adminSubject = (adminId: string) => `admin ${adminId}`;

const MINUTE = 60;
const FOREVER = 100 * 365 * 24 * 60 * MINUTE;

type SignInBuckets = ReturnType<typeof signInBuckets>;

/** Clients that share an address use up each other's limits; a known pair has a reserve beyond both. */
function signInBuckets({ name, network }: store.NameAndNetwork, settings: SignInLimitSettings) {
  const subject = nameSubject(name);
  const perNetwork = {
    limit: settings.attemptsPerNetwork,
    windowSeconds: 5 * MINUTE,
    backoff: 'rest-of-window',
  } as const;
  return {
    network: { subject: `network ${network}`, purpose: 'any name', ...perNetwork },
    networkReserve: { subject, purpose: `beyond the limit of ${network}`, ...perNetwork },
    pair: {
      subject,
      purpose: `from ${network}`,
      limit: settings.failures,
      windowSeconds: 15 * MINUTE,
      backoff: 'exponential',
    },
    pairReserve: {
      subject,
      purpose: `reserve from ${network}`,
      limit: 1,
      windowSeconds: FOREVER,
      backoff: 'fixed',
      closesAt: settings.failuresInARow,
    },
    name: {
      subject,
      purpose: 'from unknown networks',
      limit: settings.failuresPerName,
      windowSeconds: 60 * MINUTE,
      backoff: 'fixed',
    },
    consecutive: {
      subject,
      purpose: 'in a row',
      limit: settings.failuresInARow,
      windowSeconds: FOREVER,
      backoff: 'until-cleared',
    },
  } satisfies Record<string, store.Bucket>;
}

/** The key is unique, as no network contains a blank. */
const keyOf = ({ name, network }: store.NameAndNetwork) => `${network} ${name}`;

/** A client that is missing from this set only loses its priority. */
export function createKnownNetworks(maxSize = 1_000) {
  const keys = new Set<string>();

  return {
    maxSize,
    has: (known: store.NameAndNetwork): boolean => keys.has(keyOf(known)),

    add(known: store.NameAndNetwork): void {
      const key = keyOf(known);
      keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > maxSize && oldest !== undefined) keys.delete(oldest);
    },
  };
}
