import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { Sql } from '../src/db/sql.ts';

type PlanNode = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** The same handle, and how many rows of a table its statements have read, shown or not. */
export function countingReads(db: Db, table: string): { db: Db; read: () => number } {
  let total = 0;
  const readOf = (node: PlanNode): number => {
    const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
    const own = node['Relation Name'] === table ? rows * node['Actual Loops'] : 0;
    return (node.Plans ?? []).reduce((sum, child) => sum + readOf(child), own);
  };
  const explain = async (query: Sql) => {
    type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };
    const row = await db.one<Explained>(sql`explain (analyze, format json) ${query}`);
    total += readOf(row['QUERY PLAN'][0].Plan);
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
  return { db: { many, one, maybeOne: one, execute } as Db, read: () => total };
}
