import type { Bucket } from './attempts.store.ts';
import type { NameAndNetwork } from './known-networks.store.ts';

export type SignInLimitSettings = {
  failures: number;
  attemptsPerNetwork: number;
  failuresPerName: number;
  failuresInARow: number;
  passwordChanges: number;
};

export const nameSubject = (name: string) => `name ${name}`;
export const adminSubject = (adminId: string) => `admin ${adminId}`;

const MINUTE = 60;
const FOREVER = 100 * 365 * 24 * 60 * MINUTE;

export type SignInBuckets = ReturnType<typeof signInBuckets>;

/**
 * Where all clients share an address, as behind a proxy that is not trusted, others use up the
 * limits of the network and of the pair: a known pair has a reserve beyond both.
 */
export function signInBuckets({ name, network }: NameAndNetwork, settings: SignInLimitSettings) {
  return {
    network: {
      subject: `network ${network}`,
      purpose: 'any name',
      limit: settings.attemptsPerNetwork,
      windowSeconds: 5 * MINUTE,
      backoff: 'rest-of-window',
    },
    networkReserve: {
      subject: nameSubject(name),
      purpose: `beyond the limit of ${network}`,
      limit: settings.attemptsPerNetwork,
      windowSeconds: 5 * MINUTE,
      backoff: 'rest-of-window',
    },
    /** One name from one network. */
    pair: {
      subject: nameSubject(name),
      purpose: `from ${network}`,
      limit: settings.failures,
      windowSeconds: 15 * MINUTE,
      backoff: 'exponential',
    },
    pairReserve: {
      subject: nameSubject(name),
      purpose: `reserve from ${network}`,
      limit: 1,
      windowSeconds: FOREVER,
      backoff: 'fixed',
      closesAt: settings.failuresInARow,
    },
    /** One name from all unknown networks. */
    name: {
      subject: nameSubject(name),
      purpose: 'from unknown networks',
      limit: settings.failuresPerName,
      windowSeconds: 60 * MINUTE,
      backoff: 'fixed',
    },
    /** The same, since the last success. */
    consecutive: {
      subject: nameSubject(name),
      purpose: 'in a row',
      limit: settings.failuresInARow,
      windowSeconds: FOREVER,
      backoff: 'until-cleared',
    },
  } satisfies Record<string, Bucket>;
}

export function passwordChangeBucket(adminId: string, settings: SignInLimitSettings): Bucket {
  return {
    subject: adminSubject(adminId),
    purpose: 'password change',
    limit: settings.passwordChanges,
    windowSeconds: 10 * MINUTE,
    backoff: 'rest-of-window',
  };
}
