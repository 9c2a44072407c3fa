import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import { CAUSES } from '@meridian/contract/causes';
import { FILTERED_TOTAL_MAX } from '@meridian/contract/post-filter';
import type { PostFilter } from '@meridian/contract/post-filter';
import { POST_SORTS, postList, SORT_ORDERS } from '@meridian/contract/posts';
import type { PostListFilter } from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { nodesOf, plansOf } from '../../../test/explain.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';
import { readWaiting } from '../engine/engine.ts';
import {
  IS_OVERDUE,
  IS_STUCK,
  listFilteredPosts,
  postFilterCondition,
} from './posts-filtered.store.ts';

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
