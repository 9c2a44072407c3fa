import type { Random } from '@meridian/demo/random';
import type { Database, Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import { begun, untilWaiting, whileLocked } from '../../server/test/queue-up.ts';

/** So many arrive one by one; with more that takes long, and the order does not matter. */
const FEW = 3;

type Side = () => Promise<unknown>;

/** For `collide`: the sides arrive in the order in which they are given. */
export const AS_GIVEN: Pick<Random, 'shuffled'> = { shuffled: (sides) => [...sides] };

/**
 * Begins all sides in a random order while a lock keeps every one of them from its first write, and
 * lets them go together once all of them wait: no round without overlap. Refusals are as good an end
 * as any; what counts is what the database then holds.
 */
export async function collide(
  db: Database,
  lock: Sql,
  random: Pick<Random, 'shuffled'>,
  sides: readonly Side[],
): Promise<PromiseSettledResult<unknown>[]> {
  const running: Promise<unknown>[] = [];
  await whileLocked(db, lock, async () => {
    for (const side of random.shuffled(sides)) {
      running.push(begun(side));
      // Else the one with the shortest way to the lock would always be first.
      if (sides.length <= FEW) await untilWaiting(db, running.length);
    }
    await untilWaiting(db, running.length);
  });
  return Promise.allSettled(running);
}

/** Lets `slow` come as far as the lock, then `meanwhile` to its end, and only then `slow` on. */
export async function overtake(
  db: Database,
  lock: Sql,
  slow: Side,
  meanwhile: (holder: Db) => Promise<unknown>,
): Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  await whileLocked(db, lock, async (holder) => {
    running = begun(slow);
    await untilWaiting(db, 1);
    await meanwhile(holder);
  });
  await Promise.allSettled([running]);
}

/** Keeps everybody else from writing to a table or locking its rows; reading goes on. */
export const lockTable = {
  tickets: sql`lock table tickets in exclusive mode`,
  currencies: sql`lock table currencies in exclusive mode`,
  admins: sql`lock table admins in exclusive mode`,
} as const;

/** How many at once: the same call so often. */
export function times(count: number, side: (index: number) => Promise<unknown>): Side[] {
  return Array.from({ length: count }, (_, index) => () => side(index));
}
