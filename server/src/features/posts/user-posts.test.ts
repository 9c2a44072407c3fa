import { userPosts } from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';

describe.each(EITHER)('the posts of a user on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let id: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    id = await insertUser(api.db, { handle: 'author.test' });
    await insertPost(api.db, await insertUser(api.db));
    for (let index = 0; index < 23; index += 1) {
      await insertPost(api.db, id, {
        status: index % 4 === 0 ? 'PROCESSING' : 'COMPLETED',
        scheduled_at: `2026-03-0${1 + (index % 2)}T00:00:00.000Z`,
      });
    }
  });

  const list = async (query: Record<string, string> = {}) =>
    (await api.call(userPosts, { token, params: { id }, query })).answer;

  test('are hers alone, latest schedule first, ties by id the same way', async () => {
    const { posts, total } = await list({ limit: '100' });
    expect(total).toBe(23);
    expect(new Set(posts.map(({ user_id }) => user_id))).toEqual(new Set([id]));
    expect(posts[0]?.user).toMatchObject({ id, handle: 'author.test' });
    const keys = posts.map((post) => `${post.scheduled_at} ${post.id}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
  });

  test('come in pages', async () => {
    const { posts } = await list({ limit: '100' });
    expect((await list()).posts).toEqual(posts.slice(0, 20));
    expect((await list({ limit: '10' })).posts).toEqual(posts.slice(0, 10));
    expect(await list({ limit: '10', offset: '20' })).toMatchObject({
      posts: posts.slice(20),
      total: 23,
    });
    expect(await list({ offset: '100' })).toMatchObject({ posts: [], total: 23 });
  });

  test.each(['EXECUTING', 'PROCESSING'])('can be narrowed to %s', async (status) => {
    const { posts } = await list({ limit: '100' });
    const expected = posts.filter((post) => post.status === 'PROCESSING');
    expect(await list({ status })).toMatchObject({ posts: expected, total: 6 });
    expect(await list({ status: 'FAILED' })).toMatchObject({ posts: [], total: 0 });
  });

  test('may be none', async () => {
    const params = { id: await insertUser(api.db) };
    const { answer } = await api.call(userPosts, { token, params });
    expect(answer).toMatchObject({ posts: [], total: 0 });
  });

  test.each([
    [{ limit: '0' }, 'limit must be a whole number from 1 to 100'],
    [{ offset: 'x' }, 'offset must be a whole number from 0 to 1000000000'],
    [{ status: 'DONE' }, 'status must be one of PENDING, EXECUTING, COMPLETED, FAILED, CANCELLED'],
    [{ sort: 'status' }, 'Unknown field: sort'],
  ])('refuses %j', async (query, message) => {
    const answer = await api.call(userPosts, { token, params: { id }, query });
    expect(refusal(answer)).toEqual(catalogued('invalid_input', message));
  });

  test.each([uuidV7(), 'not-an-id'])('does not know user %s', async (id) => {
    expect(refusal(await api.call(userPosts, { token, params: { id } }))).toEqual({
      status: 404,
      code: 'user_not_found',
      message: 'User not found',
    });
  });
});
