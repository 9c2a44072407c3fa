import { expect } from 'vitest';
import type { Database } from '../src/db/database.ts';
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
  const locked = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.execute(lock);
    locked.resolve();
    await all.promise;
  });
  await locked.promise;
  const running: Promise<unknown>[] = [];
  try {
    for (const call of calls) {
      running.push(call());
      await expect.poll(() => waiters(db), { interval: 2, timeout: 8_000 }).toBe(running.length);
    }
  } finally {
    all.resolve();
    await holding;
  }
  // One result per call, in their order.
  return (await Promise.all(running)) as unknown as T;
}

async function waiters(db: Database): Promise<number> {
  const row = await db.one<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`);
  return row.n;
}
