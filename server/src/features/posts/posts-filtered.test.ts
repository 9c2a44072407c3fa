import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import { CAUSES } from '@meridian/contract/causes';
import {
  FILTERED_TOTAL_MAX,
  POST_SORTS,
  POST_STATUSES,
  POST_STATUS_FILTERS,
  SORT_ORDERS,
  postList,
  postStatusOf,
} from '@meridian/contract/posts';
import type {
  ListedPost,
  PostFilter,
  PostListFilter,
  PostSort,
  PostStatus,
  SortOrder,
} from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { ANALYZED, nodesOf, plansOf } from '../../../test/explain.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { applyDeltas } from '../../counters/counters.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { readWaiting } from '../engine/engine.ts';
import {
  IS_OVERDUE,
  IS_STUCK,
  listFilteredPosts,
  postFilterCondition,
} from './posts-filtered.store.ts';
import { listPosts } from './posts.store.ts';

const POSTS = 12_000;
const DAY = { from: '2026-03-05T00:00:00.000Z', to: '2026-03-06T00:00:00.000Z' };
const FAILED_DAY = { failedFrom: '2026-04-02T00:00:00.000Z', failedTo: '2026-04-03T00:00:00.000Z' };

const asText = (filter: object) =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));

/** A counter knows how many. */
const isCounted = (filter: PostListFilter) =>
  Object.keys(filter).every((name) => ['userId', 'status'].includes(name));

/** Its index has another order, so all are read. */
const isSorted = (filter: PostListFilter) =>
  ['overdue', 'stuck', 'userFilter', 'failedFrom'].some((name) => name in filter);

describe.each(EITHER)('a filtered list of posts on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let userId: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    userId = await insertUser(api.db, { handle: 'anna.example' });
    await insertManyPosts(api.db, [userId, await insertUser(api.db)], POSTS);
    await api.db.execute(sql`update posts set status = 'FAILED' where status = 'CANCELLED'`);
    // Of the failed ones every cause in turn, one without and one that the catalogue lacks.
    await api.db.execute(sql`
      update posts set cause = (${[...Object.keys(CAUSES), null, 'of_tomorrow']}::text[])[
          1 + ('x' || left(id::text, 4))::bit(16)::int % ${Object.keys(CAUSES).length + 2}::int],
        executed_at = case when id < 'a0000000-0000-0000-0000-000000000000'
          then timestamptz '2026-04-01Z' + interval '1 minute' * (('x' || left(id::text, 3))::bit(12)::int) end
      where status = 'FAILED'`);
    await api.db.execute(sql`
      update posts set updated_at = '2026-04-02T12:00:00Z' where status = 'FAILED' and executed_at is null`);
    await api.db.execute(sql`
      update posts set
        claim_at = case when id < '20000000-0000-0000-0000-000000000000' then now() - interval '1 hour'
                        when id < '40000000-0000-0000-0000-000000000000' then 'infinity'
                        else now() + interval '1 hour' end,
        hold = case when id between '20000000-0000-0000-0000-000000000000' and '30000000-0000-0000-0000-000000000000'
                    then 'user_off'
                    when id between '30000000-0000-0000-0000-000000000000' and '40000000-0000-0000-0000-000000000000'
                    then 'quota' end
      where status in ('PENDING', 'PROCESSING')`);
    await api.db.execute(sql`vacuum (analyze) posts`);
  });

  const ask = (query: Record<string, string>) => api.call(postList, { token, query });
  const list = async (query: Record<string, string>) => (await ask(query)).answer;

  const FILTERS: [string, (ids: { userId: string }) => PostListFilter][] = [
    ['a user', (ids) => ids],
    ['a user and a status', (ids) => ({ ...ids, status: 'EXECUTING' })],
    ['a user and a text', (ids) => ({ ...ids, text: 'POST 77' })],
    ['a day', () => DAY],
    ['a day and a status', () => ({ ...DAY, status: 'FAILED' })],
    ['a day and people', () => ({ ...DAY, userFilter: 'anna' })],
    ['an open range', () => ({ to: DAY.from })],
    ['a text within days', () => ({ ...DAY, text: '9' })],
    ['a cause', () => ({ cause: 'too_late' })],
    ['a cause within days', () => ({ cause: 'too_late', from: DAY.from })],
    ['an unknown cause', () => ({ cause: 'unknown' })],
    ...CAUSE_OWNERS.map((owner): [string, () => PostListFilter] => [owner, () => ({ owner })]),
    ['an owner and a failure window', () => ({ owner: 'us', ...FAILED_DAY })],
    ['a failure window', () => FAILED_DAY],
    ['a hold', () => ({ hold: 'quota' })],
    ['any hold', () => ({ hold: 'any' })],
    ['any hold and a status', () => ({ hold: 'any', status: 'PENDING' })],
    ['overdue', () => ({ overdue: true })],
    ['overdue and a user', (ids) => ({ overdue: true, ...ids })],
    ['stuck', () => ({ stuck: true })],
  ];

  test.each(FILTERS)('by %s holds exactly the posts of its condition', async (_, of) => {
    const filter = of({ userId });
    const expected = await api.db.many<{ id: string }>(sql`
      select id from posts where ${postFilterCondition(filter)} order by scheduled_at desc, id desc`);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(POSTS);
    const first = await list({ ...asText(filter), limit: '100' });
    const isExact = expected.length <= FILTERED_TOTAL_MAX || isCounted(filter) || isSorted(filter);
    expect([first.total, first.totalIsCapped]).toEqual(
      isExact ? [expected.length, undefined] : [FILTERED_TOTAL_MAX, true],
    );
    expect(first.posts.map(({ id }) => id)).toEqual(expected.slice(0, 100).map(({ id }) => id));
    const second = await list({ ...asText(filter), limit: '100', offset: '100' });
    const cursor = first.cursors?.next ?? '';
    const byCursor =
      cursor === '' ? second : await list({ ...asText(filter), limit: '100', cursor });
    expect(second.posts.map(({ id }) => id)).toEqual(expected.slice(100, 200).map(({ id }) => id));
    expect(byCursor.posts).toEqual(second.posts);
    for (const sort of POST_SORTS) {
      for (const order of SORT_ORDERS) {
        const page = await list({ ...asText(filter), sort, order, limit: '100' });
        const keys = page.posts.map((post) => post[sort]);
        const ascending = keys.toSorted();
        expect(keys).toEqual(order === 'asc' ? ascending : ascending.toReversed());
        expect(page.total).toBe(sort === 'scheduled_at' ? first.total : expected.length);
      }
    }
  });

  test.each(FILTERS)('by %s reads posts by an index alone', async (_, of) => {
    const { status, ...rest } = of({ userId });
    const stored = status === 'EXECUTING' ? 'PROCESSING' : status;
    const request = {
      sort: 'scheduled_at',
      order: 'desc',
      limit: 20,
      offset: 0,
      status: stored,
    } as const;
    const plans = await plansOf(api.db.byIndex, (byIndex) =>
      listFilteredPosts({ ...api.db, byIndex }, { ...rest, status }, request),
    );
    const reads = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'posts');
    expect(reads.length).toBeGreaterThan(0);
    const others = reads.filter((read) => !/^Index (Only )?Scan$/u.test(read['Node Type']));
    expect(others).toEqual([]);
  });

  test('the owners and the causes share all failures out', async () => {
    const totalOf = async (filter: PostFilter & { sort: 'created_at' }) =>
      (await list(asText(filter))).total;
    const failed = (await list({ status: 'FAILED' })).total;
    // Sorted by another time, all of them are counted.
    const owners = await Promise.all(
      CAUSE_OWNERS.map((owner) => totalOf({ owner, sort: 'created_at' })),
    );
    expect(owners.reduce((sum, count) => sum + count, 0)).toBe(failed);
  });

  test('overdue are those that the engine counts as waiting, and stuck are none of them', async () => {
    const { overdue, both } = await api.db.one<{ overdue: number; both: number }>(sql`
      select count(*) filter (where ${IS_OVERDUE})::integer as overdue,
             count(*) filter (where ${IS_OVERDUE} and ${IS_STUCK})::integer as both from posts`);
    const waiting = await readWaiting(api.db, { lateLimitMinutes: 60, needsAccount: false });
    expect([overdue, both]).toEqual([waiting.count, 0]);
    expect((await list({ overdue: 'true' })).total).toBe(overdue);
  });

  test('a total past the most that is counted says so, and is exact up to it', async () => {
    const all = { from: '2000-01-01T00:00:00Z' };
    expect(await list(all)).toMatchObject({ total: FILTERED_TOTAL_MAX, totalIsCapped: true });
    // Several posts may share the last moment.
    const { to, count } = await api.db.one<{ to: string; count: number }>(sql`
      select at as to, (select count(*)::integer from posts where scheduled_at < at) as count
      from (select scheduled_at as at from posts
            order by scheduled_at offset ${FILTERED_TOTAL_MAX} limit 1) as past`);
    expect(count).toBeGreaterThan(FILTERED_TOTAL_MAX - 10);
    const exact = await list({ ...all, to });
    expect(exact.total).toBe(count);
    expect(exact).not.toHaveProperty('totalIsCapped');
    expect(await list({ userId: uuidV7() })).toMatchObject({ posts: [], total: 0 });
  });

  test.each([
    [{ userId: 'anna' }, 'userId must be a UUID'],
    [{ from: 'yesterday' }, 'from must be a date and time with a zone, between 2000 and 2100'],
    [{ owner: 'them' }, 'owner must be one of person, network, us'],
    [{ overdue: '1' }, 'overdue must be true or false'],
    [{ text: 'x' }, 'text needs userId, or from and to at most 31 days apart'],
    [
      { text: 'x', from: DAY.from, to: '2026-04-06T00:00:00Z' },
      'text needs userId, or from and to at most 31 days apart',
    ],
  ])('refuses %j', async (query, message) => {
    expect(refusal(await ask(query))).toEqual(catalogued('invalid_input', message));
  });
});

function sorted(posts: ListedPost[], sort: PostSort, order: string): ListedPost[] {
  const key = (post: ListedPost) =>
    `${post[sort]} ${sort === 'status' ? post.scheduled_at : ''} ${post.id}`;
  const ascending = posts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return order === 'asc' ? ascending : ascending.toReversed();
}

const isOfAlice = (post: ListedPost) => post.user?.handle === 'Alice.example';

const words = (values: readonly string[]) => `one of ${values.join(', ')}`;

// Two instants for all, so that most of each order is decided by the ids.
const instant = (index: number, month: number) => `2026-0${month + (index % 2)}-01T00:00:00.000Z`;

describe.each(EITHER)('the list of posts on %s', (engine) => {
  const POSTS = 47;

  const NO_CURSORS = { next: null, previous: null };
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

  // Proves 4.7
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

const AUTHORS = [
  { handle: 'a_b.test', did: 'did:plc:underscore' },
  { handle: 'axb.test', did: 'did:plc:letter' },
  { handle: 'per%cent.test', did: 'did:plc:percent' },
  { handle: String.raw`back\slash.test`, did: 'did:plc:backslash' },
  { handle: 'MixedCase.Test', did: 'did:web:Mixed.example' },
] as const;

// Proves 2.62
describe.each(EITHER)("the posts' user filter on %s", (engine) => {
  const api = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    for (const author of AUTHORS) await insertPost(api.db, await insertUser(api.db, author));
  });

  const everybody = AUTHORS.map(({ handle }) => handle);
  test.each([
    ['part of a handle', 'xb.te', ['axb.test']],
    ['a whole handle', 'axb.test', ['axb.test']],
    ['a whole DID', 'did:plc:letter', ['axb.test']],
    ['part of a DID', 'plc:per', ['per%cent.test']],
    ['handle or DID', 'mixed', ['MixedCase.Test']],
    ['capitals for small letters', 'AXB.TEST', ['axb.test']],
    ['small letters for capitals', 'mixedcase.test', ['MixedCase.Test']],
    ['either in a DID', 'DID:WEB:mixed', ['MixedCase.Test']],
    ['surrounding spaces', '  axb ', ['axb.test']],
    ['a handle as it is written', '@axb.test', ['axb.test']],
    ['one @ only', '@@axb', []],
    ['what all have', '.test', everybody],
    ['nothing', '', everybody],
    ['only spaces', '   ', everybody],
    ['nobody', 'zzz', []],
    ['% as itself', '%', ['per%cent.test']],
    ['_ as itself', 'a_b', ['a_b.test']],
    [String.raw`\ as itself`, '\\', [String.raw`back\slash.test`]],
    [String.raw`\ before %`, String.raw`\%`, []],
    [String.raw`\ at the end`, 'back\\', [String.raw`back\slash.test`]],
    ['a quote', "'", []],
    ['other scripts', 'ｔｅｓｔ日本', []],
  ])('%s', async (_, userFilter, handles) => {
    const { answer } = await api.call(postList, { token, query: { userFilter } });
    expect(new Set(answer.posts.map(({ user }) => user?.handle))).toEqual(new Set(handles));
    expect(answer.total).toBe(handles.length);
  });
});

describe.each(EITHER)('a deep page of posts on %s', (engine) => {
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

describe.each(EITHER)('a page of posts on %s', (engine) => {
  const POSTS = 8_000;
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
