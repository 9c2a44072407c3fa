import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { insertUser } from '../../test/fixtures.ts';
import { insertManyPosts } from '../../test/many-posts.ts';
import { SESSION_SETTINGS, settingStatements } from '../db/database.ts';
import { ENGINE_PLANS, sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { claimStatement } from './claim.ts';
import { journalStatement } from './journal.ts';
import { publishedStatement, renewStatement, unpublishedStatement } from './settle.ts';

const POSTS = 5_000;
const api = setUpApp('embedded');

beforeAll(async () => {
  const users = await Promise.all(Array.from({ length: 100 }, () => insertUser(api.db)));
  await insertManyPosts(api.db, users, POSTS);
  await api.db.execute(sql`
    update posts set status = 'PENDING', scheduled_at = now() where status in ('PENDING', 'PROCESSING')`);
  await api.db.execute(sql`
    update posts set claim_at = 'infinity', hold = 'user_off' where status = 'CANCELLED'`);
  await api.db.execute(sql`vacuum (analyze) posts, users, accounts, deliveries`);
});

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
};
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plan that every execution uses: the engine's pool plans each statement once, without its values. */
async function genericPlan(statement: Sql): Promise<Node[]> {
  const client = new Client(api.context.connection);
  await client.connect();
  await client.query(settingStatements({ ...SESSION_SETTINGS, ...ENGINE_PLANS }));
  // Its placeholders stay open: with values it would be planned for them.
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (generic_plan, format json) ${statement.text}`,
  );
  await client.end();
  return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
}

// A table this small would be read whole by default: the plans hold at any size.
test.each([
  ['claim', claimStatement({ lookaheadMs: 1, leaseMs: 1, lateLimitMs: 1, defaultHost: null })],
  ['journal', journalStatement([], 'skip')],
  ['publish', publishedStatement([], 'skip')],
  ['publish one that is locked', publishedStatement([], 'wait')],
  ['retry, hold, fail or give back', unpublishedStatement([], 'skip')],
  ['renew', renewStatement([], 1)],
  [
    'release',
    sql`
    update posts set claim_at = now(), hold = null
    where user_id = ${''}::uuid and claim_at = 'infinity' and hold = any(${['x']})`,
  ],
])('%s: reads posts and users by index', async (_, statement) => {
  const nodes = await genericPlan(statement);
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
  const sequential = scans.filter((node) => node['Node Type'] === 'Seq Scan');
  const large = new Set(['posts', 'users', 'deliveries', 'accounts', 'delivery_attempts']);
  expect(sequential.filter((node) => large.has(node['Relation Name'] ?? ''))).toEqual([]);
  const indexes = nodes.map((node) => node['Index Name'] ?? '');
  expect(indexes.filter((name) => name.startsWith('posts_status'))).toEqual([]);
});
