import { POST_SORTS, POST_STATUSES, SORT_ORDERS } from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { ANALYZED, nodesOf, plansOf } from '../../../test/explain.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { applyDeltas } from '../../counters/counters.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { listPosts } from './posts.store.ts';

const POSTS = 8_000;

describe.each(EITHER)('a page of posts on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await insertManyPosts(api.db, [await insertUser(api.db)], POSTS);
    // None left of one status, and few of another.
    await api.db.execute(sql`update posts set status = 'COMPLETED' where status = 'PROCESSING'`);
    await api.db.execute(sql`
      update posts set status = 'COMPLETED' where status = 'CANCELLED' and id not in (
        select id from posts where status = 'CANCELLED' order by id limit 30)`);
    while ((await applyDeltas(api.db)) > 0);
    await api.db.execute(sql`vacuum (analyze) posts, counter_deltas`);
  });

  /** Runs the statement that a store sends, and returns how many rows it read and did not show. */
  async function inVain(ask: (db: Db) => Promise<unknown>): Promise<number> {
    const nodes = (await plansOf(api.db, ask, ANALYZED)).flatMap(nodesOf);
    return nodes.reduce(
      (sum, node) => sum + (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'],
      0,
    );
  }

  test('reads no other posts than it shows, however rare they are', async () => {
    for (const sort of POST_SORTS) {
      for (const order of SORT_ORDERS) {
        for (const status of [undefined, ...POST_STATUSES]) {
          const first = { sort, order, status, limit: 20, offset: 0 };
          const { cursors } = await listPosts(api.db, first);
          for (const cursor of [undefined, cursors.next ?? undefined]) {
            const page = { ...first, cursor };
            const rows = await inVain((db) => listPosts(db, page));
            expect([page, rows]).toEqual([page, 0]);
          }
        }
      }
    }
  });
});
