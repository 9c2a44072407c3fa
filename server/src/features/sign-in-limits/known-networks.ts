import type { NameAndNetwork } from './known-networks.store.ts';

const MAX_SIZE = 1_000;

/**
 * A least-recently-used set of known names and networks in memory: it decides who goes first before
 * the database is asked. Missing from it only costs a client its priority.
 */
export function createKnownNetworks(maxSize = MAX_SIZE) {
  const keys = new Set<string>();

  return {
    maxSize,
    has: (known: NameAndNetwork): boolean => keys.has(keyOf(known)),

    add(known: NameAndNetwork): void {
      const key = keyOf(known);
      // Deleted and added again, it becomes the newest.
      keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > maxSize && oldest !== undefined) keys.delete(oldest);
    },
  };
}

/** Unique, as no network contains a blank. */
function keyOf({ name, network }: NameAndNetwork): string {
  return `${network} ${name}`;
}
