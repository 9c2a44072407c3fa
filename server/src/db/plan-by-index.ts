import type { Database, Db } from './database.ts';
import { sql } from './sql.ts';

/**
 * For statements written for one index each: without values the planner takes a range for small, and
 * would rather collect and sort all of it than stop at the limit.
 */
export async function readByIndex<T>(db: Database, read: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(read, { readOnly: true, settings: BY_INDEX });
}

/** Until the end of the transaction. */
export async function planByIndex(tx: Db): Promise<void> {
  const off = sql.join(Object.keys(BY_INDEX).map((name) => sql`set_config(${name}, 'off', true)`));
  await tx.execute(sql`select ${off}`);
}

// A scan that is off counts as so expensive that the statement would be compiled first: hence no JIT.
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;
