import { POST_SORTS, postList, SORT_ORDERS, userPosts } from '@meridian/contract/posts';
import { userList } from '@meridian/contract/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { sql } from '../../db/sql.ts';

const POSTS = 200;
const NEWER = '2027-01-01T00:00:00.000Z';
const OLDER = '2025-01-01T00:00:00.000Z';

/** The engine makes no difference to what is remembered between two calls. */
describe('going through all pages while rows come and go', () => {
  let api: TestApp;
  let token: string;
  let author: string;

  beforeAll(async () => {
    api = await startTestApp('embedded');
    ({ token } = await api.signIn());
    author = await insertUser(api.db, { handle: 'walker.test' });
    await insertManyPosts(api.db, [author], POSTS);
  });
  afterAll(() => api.close());

  /** Something happens before and after every place in every order. */
  async function disturb(): Promise<void> {
    const [first, last] = [
      await insertPost(api.db, author, {
        scheduled_at: NEWER,
        created_at: NEWER,
        status: 'PENDING',
      }),
      await insertPost(api.db, author, {
        scheduled_at: OLDER,
        created_at: OLDER,
        status: 'COMPLETED',
      }),
    ];
    await insertPost(api.db, author, { status: 'CANCELLED' });
    await api.db.execute(sql`delete from posts where id in (${first}, ${last}) and random() < 0.3`);
  }

  type Page = { ids: string[]; total: number };
  async function walk(read: (offset: number) => Promise<Page>, whenever: () => Promise<unknown>) {
    const seen: string[] = [];
    let total = 0;
    do {
      const page = await read(seen.length);
      seen.push(...page.ids);
      ({ total } = page);
      await whenever();
    } while (seen.length < total);
    return seen;
  }

  const lists = POST_SORTS.flatMap((sort) =>
    SORT_ORDERS.flatMap((order) => [
      { query: { sort, order } },
      { query: { sort, order, userFilter: 'WALKER' } },
      { query: { sort, order, status: 'COMPLETED' } },
    ]),
  );
  test.each(lists)('of posts, $query', async ({ query }) => {
    const { status = '' } = query as { status?: string };
    const before = await api.db.many<{ id: string }>(
      sql`select id from posts where ${status} in ('', status)`,
    );
    const seen = await walk(async (offset) => {
      const { answer } = await api.call(postList, {
        token,
        query: { ...query, offset: `${offset}` },
      });
      return { ids: answer.posts.map(({ id }) => id), total: answer.total };
    }, disturb);
    expect(new Set(seen).size).toBe(seen.length);
    const stillThere = await api.db.many<{ id: string }>(
      sql`select id from posts where id = any(${before.map(({ id }) => id)})`,
    );
    expect(stillThere.map(({ id }) => id).filter((id) => !seen.includes(id))).toEqual([]);
  });

  test("of a user's posts", async () => {
    const seen = await walk(async (offset) => {
      const query = { offset: `${offset}`, limit: '10' };
      const { answer } = await api.call(userPosts, { token, params: { id: author }, query });
      return { ids: answer.posts.map(({ id }) => id), total: answer.total };
    }, disturb);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(POSTS);
  });

  test('of users', async () => {
    for (let number = 0; number < 50; number += 1) await insertUser(api.db);
    const seen = await walk(
      async (offset) => {
        const { answer } = await api.call(userList, { token, query: { offset: `${offset}` } });
        return { ids: answer.users.map(({ id }) => id), total: answer.total };
      },
      () => insertUser(api.db, { created_at: NEWER }),
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(51);
  });

  test('begins at the number of rows for a page nobody came to from the one before', async () => {
    const { token: stranger } = await api.signIn();
    const first = await api.call(postList, { token: stranger });
    const jump = await api.call(postList, { token: stranger, query: { offset: '40' } });
    await disturb();
    const { token: another } = await api.signIn();
    const late = await api.call(postList, { token: another, query: { offset: '20', limit: '1' } });
    expect(jump.answer.posts).toHaveLength(20);
    expect(first.answer.posts.map(({ id }) => id)).not.toContain(jump.answer.posts[0]?.id);
    const all = await api.db.many<{ id: string }>(
      sql`select id from posts order by scheduled_at desc, id desc offset 20 limit 1`,
    );
    expect(late.answer.posts[0]?.id).toBe(all[0]?.id);
  });
});
