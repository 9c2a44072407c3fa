import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { Sql } from '../src/db/sql.ts';

/** What is measured is there when the options ask for it: rows by `analyze`, blocks by `buffers`. */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

const PLAIN = sql`format json`;
export const ANALYZED = sql`analyze, buffers, format json`;

export async function planOf(db: Db, query: Sql, options = PLAIN): Promise<PlanNode> {
  type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };
  const row = await db.one<Explained>(sql`explain (${options}) ${query}`);
  return row['QUERY PLAN'][0].Plan;
}

/** The plans of what `ask` reads, in place of the rows. */
export async function plansOf(
  db: Db,
  ask: (db: Db) => Promise<unknown>,
  options = PLAIN,
): Promise<PlanNode[]> {
  const plans: PlanNode[] = [];
  const explain = async (query: Sql) => {
    plans.push(await planOf(db, query, options));
    return [];
  };
  // What a store makes of the rows is of no interest.
  await ask({ ...db, many: explain, one: explain, maybeOne: explain } as Db);
  return plans;
}

/** A plan with all the nodes below it. */
export const nodesOf = (plan: PlanNode): PlanNode[] => [
  plan,
  ...(plan.Plans ?? []).flatMap(nodesOf),
];

/** The tables that are read from their first row to their last. */
export const scannedBy = (plans: readonly PlanNode[]) =>
  plans
    .flatMap(nodesOf)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']);

export const pagesOf = (plan: PlanNode) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
