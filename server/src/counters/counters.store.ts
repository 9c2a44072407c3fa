import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Of one batch, as the function has it. */
const DELTAS_MAX = 5_000;

/** Applies a batch of pending deltas; returns how many there were. */
export async function applyDeltas(db: Db, most = DELTAS_MAX): Promise<number> {
  const { applied } = await db.one<{ applied: number }>(
    sql`select apply_counter_deltas(${most}::integer) as applied`,
  );
  return applied;
}

/** After a load, rather than by the next reader. Stops when another process is already at it. */
export async function applyAllDeltas(db: Db): Promise<void> {
  let applied: number;
  do {
    applied = await applyDeltas(db);
  } while (applied > 0);
}

/** Frees the space of applied deltas, which every reader would have to pass over. */
export async function vacuumDeltas(db: Db): Promise<void> {
  await db.execute(sql`vacuum counter_deltas`);
}

export type CounterDifference = {
  what: string;
  status: string;
  user: string | null;
  counted: string;
  present: string;
};

/** Compares every counter with the rows, in one snapshot. Takes long on large tables. */
export async function findDifferences(db: Db, limit: number): Promise<CounterDifference[]> {
  return db.many<CounterDifference>(sql`
    select what, status, user_id as "user", counted::text, present::text
    from counter_differences limit ${limit}`);
}

/** Counts all rows again. Writers of users and posts wait meanwhile. */
export async function recount(db: Db): Promise<void> {
  await db.execute(sql`select recount()`);
}
