import type { Db } from '../src/db/database.ts';
import type { Sql } from '../src/db/sql.ts';
import { ANALYZED, nodesOf, pagesOf, planOf } from './explain.ts';

type Counting = {
  /** The same handle. */
  db: Db;
  /** How many rows of the table its statements have read, shown or not. */
  read: () => number;
  /** How many pages of tables and indexes they have read. */
  pages: () => number;
};

export function countingReads(db: Db, table: string): Counting {
  let total = 0;
  let pages = 0;
  const explain = async (query: Sql) => {
    const plan = await planOf(db, query, ANALYZED);
    for (const node of nodesOf(plan)) {
      const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
      if (node['Relation Name'] === table) total += rows * node['Actual Loops'];
    }
    pages += pagesOf(plan);
  };
  const many = async (query: Sql) => {
    await explain(query);
    return db.many(query);
  };
  const one = async (query: Sql) => (await many(query))[0];
  // What `explain analyze` runs is done.
  const execute = async (query: Sql) => {
    await explain(query);
    return 0;
  };
  return { db: { many, one, maybeOne: one, execute } as Db, read: () => total, pages: () => pages };
}
