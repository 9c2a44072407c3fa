import { POST_SORTS, POST_STATUSES, SORT_ORDERS } from '@meridian/contract/posts';
import type { PostSort, PostStatus, SortOrder } from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { applyDeltas } from '../../counters/counters.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { listPosts } from './posts.store.ts';

const POSTS = 9_000;
const LIMIT = 20;
const OFFSETS = [0, 20, 1000, 1001, 1777, 4_321, 8_990, 9_000, 50_000];
/** The same orders as PostgreSQL itself understands them. */
const PLAIN: Record<PostSort, Record<SortOrder, Sql>> = {
  status: {
    asc: sql`status, scheduled_at, id`,
    desc: sql`status desc, scheduled_at desc, id desc`,
  },
  scheduled_at: { asc: sql`scheduled_at, id`, desc: sql`scheduled_at desc, id desc` },
  created_at: { asc: sql`created_at, id`, desc: sql`created_at desc, id desc` },
};

describe.each(EITHER)('a deep page of posts on %s', (engine) => {
  const api = setUpApp(engine);

  beforeAll(async () => {
    const authors = [await insertUser(api.db), await insertUser(api.db)];
    await insertManyPosts(api.db, authors, POSTS);
    while ((await applyDeltas(api.db)) > 0);
  });

  async function plainly(sort: PostSort, order: SortOrder, status: PostStatus | undefined) {
    const where = status === undefined ? sql.empty : sql`where status = ${status}`;
    const rows = await api.db.many<{ id: string }>(
      sql`select id from posts ${where} order by ${PLAIN[sort][order]}`,
    );
    return rows.map(({ id }) => id);
  }

  /** Every page as it is found, and as PostgreSQL finds it plainly. */
  async function pagesBy(sort: PostSort, order: SortOrder) {
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const status of [undefined, ...POST_STATUSES]) {
      const ids = await plainly(sort, order, status);
      for (const offset of OFFSETS) {
        const page = await listPosts(api.db, { sort, order, status, limit: LIMIT, offset });
        const shown = { status, offset };
        found.push({ ...shown, total: page.total, ids: page.rows.map(({ id }) => id) });
        expected.push({
          ...shown,
          total: ids.length,
          ids: ids.slice(offset, offset + LIMIT),
        });
      }
    }
    return { found, expected };
  }

  const cases = POST_SORTS.flatMap((sort) => SORT_ORDERS.map((order) => ({ sort, order })));
  test.each(cases)('by $sort $order holds the rows of a plain sort', async ({ sort, order }) => {
    const { found, expected } = await pagesBy(sort, order);
    expect(found).toEqual(expected);
  });

  describe('while counter deltas are pending', () => {
    beforeAll(async () => {
      await api.db.execute(sql`update posts set status = 'CANCELLED'
                               where status = 'PENDING' and content like '%7'`);
      await api.db.execute(sql`update posts set scheduled_at = scheduled_at - interval '90 days'
                               where status = 'PENDING' and content like '%3'`);
      await api.db.execute(sql`delete from posts where content like '%11'`);
    });

    test.each(cases)('by $sort $order', async ({ sort, order }) => {
      const { found, expected } = await pagesBy(sort, order);
      expect(found).toEqual(expected);
    });
  });
});
