import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Adds up some of what was noted; the number of notes done away with. */
export async function foldCounts(db: Db): Promise<number> {
  const { folded } = await db.one<{ folded: number }>(sql`select fold_counts() as folded`);
  return folded;
}

/** The place of notes done away with is free again only after this. */
export async function cleanUpNotes(db: Db): Promise<void> {
  await db.execute(sql`vacuum post_notes, user_notes`);
}

export type CountDifference = {
  what: string;
  status: string;
  place: string;
  kept: string;
  counted: string;
};

/** Compares every number kept with what is there, in one snapshot. Takes long on large tables. */
export async function findDifferences(db: Db, limit: number): Promise<CountDifference[]> {
  return db.many<CountDifference>(sql`
    select what, status, place, kept::text, counted::text from count_differences limit ${limit}`);
}

/** Counts everything anew. Whoever wants to change users or posts waits meanwhile. */
export async function recount(db: Db): Promise<void> {
  await db.execute(sql`select recount()`);
}
