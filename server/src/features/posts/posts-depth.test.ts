import { POST_SORTS, POST_STATUSES, SORT_ORDERS } from '@meridian/contract/posts';
import type { PostSort, PostStatus, SortOrder } from '@meridian/contract/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { foldCounts } from '../../counts/counts.store.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { listPosts } from './posts-list.store.ts';

const POSTS = 9_000;
const LIMIT = 20;
const OFFSETS = [0, 20, 1000, 1001, 1777, 4_321, 8_990, 9_000, 50_000];
/** The same orders as PostgreSQL itself understands them. */
const PLAIN: Record<PostSort, Record<SortOrder, Sql>> = {
  status: { asc: sql`status, id`, desc: sql`status desc, id desc` },
  scheduled_at: { asc: sql`scheduled_at, id`, desc: sql`scheduled_at desc, id desc` },
  created_at: { asc: sql`created_at, id`, desc: sql`created_at desc, id desc` },
};

describe.each(ENGINES)('a deep page of posts on %s', (engine) => {
  let api: TestApp;

  beforeAll(async () => {
    api = await startTestApp(engine);
    const authors = [await insertUser(api.db), await insertUser(api.db)];
    await insertManyPosts(api.db, authors, POSTS);
    // Some of it added up and some not yet, as in a service at work.
    await foldCounts(api.db);
    await api.db.execute(sql`update posts set status = 'CANCELLED'
                             where status = 'PENDING' and user_id = ${authors[0]}`);
  });
  afterAll(() => api.close());

  async function plainly(sort: PostSort, order: SortOrder, status: PostStatus | undefined) {
    const where = status === undefined ? sql.empty : sql`where status = ${status}`;
    const rows = await api.db.many<{ id: string }>(
      sql`select id from posts ${where} order by ${PLAIN[sort][order]}`,
    );
    return rows.map(({ id }) => id);
  }

  const cases = POST_SORTS.flatMap((sort) => SORT_ORDERS.map((order) => ({ sort, order })));
  test.each(cases)(
    'by $sort $order is the one PostgreSQL finds by counting',
    async ({ sort, order }) => {
      for (const status of [undefined, ...POST_STATUSES]) {
        const ids = await plainly(sort, order, status);
        for (const offset of OFFSETS) {
          const place = { after: null, offset };
          const page = await listPosts(api.db, { sort, order, status, limit: LIMIT, place });
          expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + LIMIT));
          expect(page.total).toBe(ids.length);
        }
      }
    },
  );
});
