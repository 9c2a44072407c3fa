import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { findDelivery, listAttempts } from './deliveries.store.ts';
import { countHeld, countNextHour, readWaiting } from './engine.store.ts';

const POSTS = 8_000;

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; Plans?: PlanNode[] };

/** The tables that are read from their first row to their last. */
function scanned(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scanned)];
}

describe.each(EITHER)('the state of the engine on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
    await insertManyPosts(api.db, [await insertUser(api.db)], POSTS);
    // As in a service of some age: few posts are still to be published.
    await api.db.execute(sql`
      update posts set status = 'COMPLETED' where status in ('PENDING', 'PROCESSING')
        and id not in (select id from posts where status = 'PENDING' order by id limit 600)`);
    await api.db.execute(sql`
      update posts set scheduled_at = now() + interval '1 minute' * (('x' || left(id::text, 2))::bit(8)::int - 40)
      where status = 'PENDING'`);
    await api.db.execute(sql`
      update posts set hold = 'user_off', claim_at = 'infinity' where id in (
        select id from posts where status = 'PENDING' order by id limit 200)`);
    await api.db.execute(sql`vacuum (analyze) posts, deliveries, delivery_attempts`);
  });
  afterAll(() => api.close());

  const READS: [string, (db: Db) => Promise<unknown>][] = [
    ['waiting posts', (db) => readWaiting(db, { lateLimitMinutes: 60, needsAccount: false })],
    ['held posts', countHeld],
    ['the next hour', countNextHour],
    ['a delivery', (db) => findDelivery(db, uuidV7())],
    ['its attempts', (db) => listAttempts(db, uuidV7())],
  ];
  test.each(READS)('reads %s without reading the table of posts', async (_, ask) => {
    const plans: PlanNode[] = [];
    const explain = async (query: Sql) => {
      type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };
      const row = await api.db.one<Explained>(sql`explain (format json) ${query}`);
      plans.push(row['QUERY PLAN'][0].Plan);
      return row;
    };
    // What a store makes of the rows is of no interest here.
    const one = explain as Db['one'];
    const many = (async (query: Sql) => [await explain(query)]) as Db['many'];
    await ask({ ...api.db, one, maybeOne: one, many });
    expect(plans).toHaveLength(1);
    expect(plans.flatMap(scanned)).not.toContain('posts');
  });
});
