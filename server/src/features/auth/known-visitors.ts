/** A name, and the network that somebody of this name signed in from. */
export type Visitor = { name: string; network: string };

const MOST = 1_000;

/**
 * Who signed in from where, as far as this process knows: for what has to be decided before the
 * database is asked. Nothing is refused for not being in here, and the oldest are forgotten first.
 */
export function createKnownVisitors(most = MOST) {
  const visitors = new Set<string>();

  return {
    most,
    has: (visitor: Visitor): boolean => visitors.has(keyOf(visitor)),

    add(visitor: Visitor): void {
      const key = keyOf(visitor);
      // Put in again, it is the newest.
      visitors.delete(key);
      visitors.add(key);
      const [oldest] = visitors;
      if (visitors.size > most && oldest !== undefined) visitors.delete(oldest);
    },
  };
}

/** No network holds a blank, so no two visitors share a key. */
function keyOf({ name, network }: Visitor): string {
  return `${network} ${name}`;
}
