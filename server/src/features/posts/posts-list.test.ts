import {
  POST_SORTS,
  POST_STATUS_FILTERS,
  POST_STATUSES,
  postList,
  SORT_ORDERS,
  postStatusOf,
} from '@meridian/contract/posts';
import type { ListedPost, PostSort } from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';

const POSTS = 47;
// Two instants for all, so that most of each order is decided by the ids.
const instant = (index: number, month: number) => `2026-0${month + (index % 2)}-01T00:00:00.000Z`;

const words = (values: readonly string[]) => `one of ${values.join(', ')}`;

const isOfAlice = (post: ListedPost) => post.user?.handle === 'Alice.example';

function sorted(posts: ListedPost[], sort: PostSort, order: string): ListedPost[] {
  const key = (post: ListedPost) =>
    `${post[sort]} ${sort === 'status' ? post.scheduled_at : ''} ${post.id}`;
  const ascending = posts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return order === 'asc' ? ascending : ascending.toReversed();
}

const NO_CURSORS = { next: null, previous: null };

describe.each(EITHER)('the list of posts on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let atFirst: unknown;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    atFirst = (await api.call(postList, { token })).answer;
    const authors = [
      await insertUser(api.db, { handle: 'Alice.example', did: 'did:plc:aaaa' }),
      await insertUser(api.db, { handle: 'bob.example', did: 'did:web:bob.example' }),
    ];
    for (let index = 0; index < POSTS; index += 1) {
      await insertPost(api.db, authors[index % 3 === 0 ? 0 : 1] ?? '', {
        status: POST_STATUSES[index % POST_STATUSES.length] ?? 'PENDING',
        scheduled_at: instant(index, 3),
        created_at: instant(index >> 1, 1),
        facets: [{ index }],
        embed: { $type: 'app.bsky.embed.external' },
      });
    }
  });

  const list = async (query: Record<string, string> = {}) =>
    (await api.call(postList, { token, query })).answer;
  const all = async () => (await list({ limit: '100' })).posts;

  /** Page after page until one comes back empty. */
  async function walk(query: Record<string, string>): Promise<ListedPost[]> {
    const seen: ListedPost[] = [];
    for (;;) {
      const { posts } = await list({ ...query, limit: '6', offset: String(seen.length) });
      if (posts.length === 0) return seen;
      seen.push(...posts);
    }
  }

  test('is empty at first', () => {
    expect(atFirst).toEqual({ posts: [], total: 0, cursors: NO_CURSORS });
  });

  test('starts with the latest schedule, 20 to a page', async () => {
    const { posts, total } = await list();
    expect(total).toBe(POSTS);
    expect(posts).toEqual(sorted(await all(), 'scheduled_at', 'desc').slice(0, 20));
  });

  describe.each(POST_SORTS)('sorted by %s', (sort) => {
    const filters = [
      { filter: {}, wanted: () => true },
      ...[...POST_STATUS_FILTERS, 'PROCESSING' as const].map((status) => ({
        filter: { status },
        wanted: (post: ListedPost) => post.status === postStatusOf(status),
      })),
      { filter: { userFilter: 'alice' }, wanted: isOfAlice },
      {
        filter: { userFilter: 'alice', status: 'EXECUTING' },
        wanted: (post: ListedPost) => isOfAlice(post) && post.status === 'PROCESSING',
      },
    ];
    test.each(filters)('and narrowed to $filter', async ({ filter, wanted }) => {
      const expected = (await all()).filter(wanted);
      expect(expected.length).toBeGreaterThan(2);
      expect((await list(filter)).total).toBe(expected.length);
      for (const order of SORT_ORDERS) {
        expect(await walk({ ...filter, sort, order })).toEqual(sorted(expected, sort, order));
      }
    });
  });

  test('answers PROCESSING where the filter says EXECUTING', async () => {
    const { posts, total } = await list({ status: 'EXECUTING' });
    expect(total).toBe(posts.length);
    expect(new Set(posts.map(({ status }) => status))).toEqual(new Set(['PROCESSING']));
  });

  test('is empty but counted past the end', async () => {
    expect(await list({ offset: '1000' })).toEqual({
      posts: [],
      total: POSTS,
      cursors: NO_CURSORS,
    });
  });

  test('sends the author along, but no facets and no embed', async () => {
    const response = await api.app.inject({
      url: postList.path,
      headers: { authorization: `Bearer ${token}` },
      query: { limit: '1', userFilter: 'alice' },
    });
    expect(response.json()).toEqual({
      posts: [
        {
          id: expect.any(String),
          user_id: expect.any(String),
          content: 'A scheduled post',
          status: expect.any(String),
          scheduled_at: '2026-04-01T00:00:00.000Z',
          created_at: expect.any(String),
          updated_at: expect.any(String),
          executed_at: null,
          at_uri: null,
          at_rkey: null,
          error_msg: null,
          languages: ['en'],
          version: 1,
          user: {
            id: response.json().posts[0].user_id,
            did: 'did:plc:aaaa',
            handle: 'Alice.example',
            display_name: null,
            avatar: null,
          },
        },
      ],
      total: 16,
      cursors: { next: expect.any(String), previous: null },
    });
  });

  test.each([
    [{ limit: '0' }, 'limit must be a whole number from 1 to 100'],
    [{ limit: '101' }, 'limit must be a whole number from 1 to 100'],
    [{ offset: '-1' }, 'offset must be a whole number from 0 to 1000000000'],
    [{ status: 'RUNNING' }, `status must be ${words(POST_STATUS_FILTERS)}`],
    [{ sort: 'updated_at' }, `sort must be ${words(POST_SORTS)}`],
    [{ sort: 'id; drop table posts' }, `sort must be ${words(POST_SORTS)}`],
    [{ order: 'DESC' }, `order must be ${words(SORT_ORDERS)}`],
    [{ userFilter: 'x'.repeat(257) }, 'userFilter must be at most 256 characters'],
    [{ userFilter: 'a\0b' }, 'userFilter is not valid'],
    [{ page: '2' }, 'Unknown field: page'],
  ])('refuses %j', async (query, message) => {
    const answer = await api.call(postList, { token, query });
    expect(refusal(answer)).toEqual(catalogued('invalid_input', message));
  });
});
