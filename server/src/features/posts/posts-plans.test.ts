import { POST_SORTS, POST_STATUSES, SORT_ORDERS } from '@meridian/contract/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { foldCounts } from '../../counts/counts.store.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { listPosts } from './posts-list.store.ts';

const POSTS = 8_000;

type PlanNode = { 'Rows Removed by Filter'?: number; 'Actual Loops': number; Plans?: PlanNode[] };

/** Rows that were looked at in vain. */
function passedOver(node: PlanNode): number {
  const own = (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + passedOver(child), own);
}

describe.each(ENGINES)('a page of posts on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
    await insertManyPosts(api.db, [await insertUser(api.db)], POSTS);
    // None left of one status, and few of another.
    await api.db.execute(sql`update posts set status = 'COMPLETED' where status = 'PROCESSING'`);
    await api.db.execute(sql`
      update posts set status = 'COMPLETED' where status = 'CANCELLED' and id not in (
        select id from posts where status = 'CANCELLED' order by id limit 30)`);
    while ((await foldCounts(api.db)) > 0);
    await api.db.execute(sql`vacuum (analyze) posts, counts, post_notes, user_notes`);
  });
  afterAll(() => api.close());

  /** Runs the statement that a store sends, and says how many rows it looked at in vain. */
  async function inVain(ask: (db: Db) => Promise<unknown>): Promise<number> {
    let found = 0;
    const note = async (query: Sql) => {
      type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };
      const { 'QUERY PLAN': plans } = await api.db.one<Explained>(
        sql`explain (analyze, format json) ${query}`,
      );
      found += passedOver(plans[0].Plan);
      return [];
    };
    await ask({ ...api.db, many: note });
    return found;
  }

  test('looks at no other posts than it shows, however rare they are', async () => {
    for (const sort of POST_SORTS) {
      for (const order of SORT_ORDERS) {
        for (const status of [undefined, ...POST_STATUSES]) {
          const asked = { sort, order, status };
          const value = sort === 'status' ? (status ?? 'FAILED') : '2026-03-20T12:00:00Z';
          for (const after of [null, { value, id: '80000000-0000-4000-8000-000000000000' }]) {
            const page = { ...asked, limit: 20, place: { after, offset: 0 } };
            const rows = await inVain((db) => listPosts(db, page));
            expect([page, rows]).toEqual([page, 0]);
          }
        }
      }
    }
  });
});
