import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { Sql } from '../src/db/sql.ts';

type PlanNode = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

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
  const readOf = (node: PlanNode): number => {
    const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
    const own = node['Relation Name'] === table ? rows * node['Actual Loops'] : 0;
    return (node.Plans ?? []).reduce((sum, child) => sum + readOf(child), own);
  };
  const explain = async (query: Sql) => {
    type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };
    const row = await db.one<Explained>(sql`explain (analyze, buffers, format json) ${query}`);
    const [{ Plan: plan }] = row['QUERY PLAN'];
    total += readOf(plan);
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
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
