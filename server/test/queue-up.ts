import { expect } from 'vitest';
import type { Database, Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { Sql } from '../src/db/sql.ts';

/**
 * A race whose order the test decides: holds what `lock` locks until every call, begun in this
 * order, waits for it in the database. Then lets them go and answers what came of them.
 */
export async function queueUp<T extends readonly unknown[]>(
  db: Database,
  lock: Sql,
  calls: { readonly [K in keyof T]: () => Promise<T[K]> },
): Promise<T> {
  const running: Promise<unknown>[] = [];
  await whileLocked(db, lock, async () => {
    for (const call of calls) {
      running.push(begun(call));
      await untilWaiting(db, running.length);
    }
  });
  // One result per call, in their order.
  return (await Promise.all(running)) as unknown as T;
}

/** Holds what `lock` locks while `during` runs, which may go on in the same transaction. */
export async function whileLocked(
  db: Database,
  lock: Sql,
  during: (holder: Db) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(lock);
    await during(tx);
  });
}

/** Until so many wait for a lock in this database. */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  await expect.poll(() => waiters(db), { interval: 2 }).toBeGreaterThanOrEqual(count);
}

/** Its failure is reported by the caller that awaits it, however much later. */
export function begun<T>(call: () => Promise<T>): Promise<T> {
  const running = call();
  running.catch(() => {});
  return running;
}

async function waiters(db: Db): Promise<number> {
  const row = await db.one<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  return row.n;
}
