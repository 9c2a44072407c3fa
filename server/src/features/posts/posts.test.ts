import {
  FILTERED_TOTAL_MAX,
  POST_SORTS,
  POST_STATUSES,
  postCancel,
  postDelete,
  postGet,
  postUpdate,
  userPosts,
} from '@meridian/contract/posts';
import type { PostSort, PostStatus } from '@meridian/contract/posts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { ANALYZED, pagesOf, planOf } from '../../../test/explain.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { applyDeltas } from '../../counters/counters.ts';
import { uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { listPostsOfUsers } from './posts.store.ts';

const NOT_FOUND = { status: 404, code: 'post_not_found', message: 'Post not found' };
const CHANGEABLE: PostStatus[] = ['PENDING', 'PROCESSING', 'CANCELLED'];

describe.each(EITHER)('a post on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let userId: string;
  let neighbour: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    userId = await insertUser(api.db, {
      did: 'did:plc:author',
      handle: 'author.test',
      display_name: 'Author',
      avatar: 'https://cdn.example/a.jpg',
    });
  });
  beforeEach(async () => {
    neighbour = await insertPost(api.db, userId);
  });

  const withStatus = (status: PostStatus) => insertPost(api.db, userId, { status });
  const get = async (id: string) =>
    (await api.call(postGet, { token, params: { id } })).answer.post;
  const change = (id: string, body: object) =>
    api.call(postUpdate, { token, params: { id }, body });
  const cancel = (id: string) => api.call(postCancel, { token, params: { id } });
  const remove = (id: string) => api.call(postDelete, { token, params: { id } });

  describe('get', () => {
    // Proves 3.6, 7.20
    test('answers every field, the records as they came', async () => {
      const full = {
        content: 'Hello @bob 🌍\n<b>not bold</b>',
        facets: [{ index: { byteStart: 6, byteEnd: 10 }, features: [{ $type: 'x', did: 'y' }] }],
        embed: { $type: 'app.bsky.embed.images', images: [{ alt: '', image: { key: 'k/1' } }] },
        languages: ['en', 'pt-BR'],
        status: 'COMPLETED',
        scheduled_at: '2026-03-01T09:00:00.123Z',
        created_at: '2026-02-01T09:00:00.000Z',
        executed_at: '2026-03-01T09:00:01.000Z',
        at_uri: 'at://did:plc:author/app.bsky.feed.post/3kabc',
        at_rkey: '3kabc',
        error_msg: 'first attempt failed',
      } as const;
      const id = await insertPost(api.db, userId, { ...full, languages: [...full.languages] });
      expect(await get(id)).toEqual({
        id,
        user_id: userId,
        ...full,
        version: 1,
        hold: null,
        cause: null,
        reply_to: null,
        thread: null,
        retry_of: null,
        retried_as: null,
        updated_at: full.created_at,
        user: {
          id: userId,
          did: 'did:plc:author',
          handle: 'author.test',
          display_name: 'Author',
          avatar: 'https://cdn.example/a.jpg',
        },
      });
    });

    test('says null for what is not there', async () => {
      const id = await insertPost(api.db, userId, { languages: [] });
      expect(await get(id)).toMatchObject({
        facets: null,
        embed: null,
        languages: [],
        executed_at: null,
        at_uri: null,
        at_rkey: null,
        error_msg: null,
      });
    });

    test.each([uuidV7(), 'not-an-id', '0'])('does not know %s', async (id) => {
      expect(refusal(await api.call(postGet, { token, params: { id } }))).toEqual(NOT_FOUND);
    });
  });

  describe('update', () => {
    const changes = CHANGEABLE.flatMap((from) =>
      POST_STATUSES.filter((to) => to !== from).map((to) => ({ from, to })),
    );
    // Proves 4.8
    test.each(changes)('goes from $from to $to and changes nothing else', async ({ from, to }) => {
      const id = await withStatus(from);
      const before = await get(id);
      const besides = await get(neighbour);
      const { post } = (await change(id, { status: to })).answer;
      expect(post).toEqual({ ...before, status: to, version: 2, updated_at: post.updated_at });
      expect(post.updated_at > before.updated_at).toBe(true);
      expect(await get(id)).toEqual(post);
      expect(await get(neighbour)).toEqual(besides);
    });

    test.each(POST_STATUSES)('refuses %s for what it already is', async (status) => {
      const id = await withStatus(status);
      const before = await get(id);
      expect(refusal(await change(id, { status }))).toEqual(
        catalogued('post_status_same', 'The post already has this status'),
      );
      expect(await get(id)).toEqual(before);
    });

    const finals = (['COMPLETED', 'FAILED'] as const).flatMap((from) =>
      POST_STATUSES.filter((to) => to !== from).map((to) => ({ from, to })),
    );
    // Proves 4.11
    test.each(finals)('refuses the way from $from to $to', async ({ from, to }) => {
      const id = await withStatus(from);
      const before = await get(id);
      expect(refusal(await change(id, { status: to }))).toEqual(
        catalogued(
          'post_status_final',
          'The status of a completed or failed post cannot be changed',
        ),
      );
      expect(await get(id)).toEqual(before);
    });

    test.each([
      [{}, `status must be one of ${POST_STATUSES.join(', ')}`],
      [{ status: 'EXECUTING' }, `status must be one of ${POST_STATUSES.join(', ')}`],
      [{ status: 'completed' }, `status must be one of ${POST_STATUSES.join(', ')}`],
      [{ status: 'FAILED', content: 'x' }, 'Unknown field: content'],
    ])('refuses %j', async (body, message) => {
      const before = await get(neighbour);
      expect(refusal(await change(neighbour, body))).toEqual(catalogued('invalid_input', message));
      expect(await get(neighbour)).toEqual(before);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await change(id, { status: 'FAILED' }))).toEqual(NOT_FOUND);
    });

    test('never moves a post that the executor finished at the same moment', async () => {
      for (let round = 0; round < 40; round += 1) {
        const id = await withStatus('PROCESSING');
        const [answer, finished] = await Promise.all([
          change(id, { status: 'PENDING' }),
          api.db.execute(sql`
            update posts set status = 'COMPLETED' where id = ${id} and status = 'PROCESSING'`),
        ]);
        expect((await get(id)).status).toBe(finished === 1 ? 'COMPLETED' : 'PENDING');
        expect(answer.status).toBe(finished === 1 ? 409 : 200);
      }
    });
  });

  describe('cancel', () => {
    // Proves 4.12
    test.each(['PENDING', 'PROCESSING'] as const)('cancels a %s post', async (status) => {
      const id = await withStatus(status);
      const before = await get(id);
      const { post } = (await cancel(id)).answer;
      expect(post).toEqual({
        ...before,
        status: 'CANCELLED',
        version: 2,
        updated_at: post.updated_at,
      });
      expect(post.updated_at > before.updated_at).toBe(true);
      expect(await get(id)).toEqual(post);
      expect((await get(neighbour)).status).toBe('PENDING');
    });

    test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)('refuses %s', async (status) => {
      const id = await withStatus(status);
      const before = await get(id);
      expect(refusal(await cancel(id))).toEqual(
        catalogued('post_not_cancellable', 'Only a pending or processing post can be cancelled'),
      );
      expect(await get(id)).toEqual(before);
    });

    test('happens once when asked ten times at once', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(neighbour)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await cancel(id))).toEqual(NOT_FOUND);
    });
  });

  describe('delete', () => {
    test.each(POST_STATUSES)('removes a %s post for good, and no other', async (status) => {
      const id = await withStatus(status);
      const besides = await get(neighbour);
      expect((await remove(id)).answer).toEqual({ success: true });
      expect(refusal(await api.call(postGet, { token, params: { id } }))).toEqual(NOT_FOUND);
      expect(refusal(await remove(id))).toEqual(NOT_FOUND);
      expect(await get(neighbour)).toEqual(besides);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await remove(id))).toEqual(NOT_FOUND);
    });
  });
});

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

const PEOPLE = 1_200;
const POSTS = 6_000;
const PLAIN: Record<PostSort, Sql> = {
  scheduled_at: sql`p.scheduled_at desc, p.id desc`,
  created_at: sql`p.created_at desc, p.id desc`,
  status: sql`p.status desc, p.scheduled_at desc, p.id desc`,
};

const twice = (total: object) => [total, total];

describe.each(EITHER)('posts of the users who match on %s', (engine) => {
  const api = setUpApp(engine);

  beforeAll(async () => {
    await api.db.execute(sql`
      insert into users (id, did, handle)
      select gen_random_uuid(), 'did:plc:' || number, case when number % 100 = 0 then 'rare' else 'person' end
             || number || '.many.example'
      from generate_series(1, ${PEOPLE}::int) as number`);
    const people = await api.db.many<{ id: string }>(sql`select id from users`);
    await insertManyPosts(
      api.db,
      people.map(({ id }) => id),
      POSTS,
    );
    await applyDeltas(api.db);
  });

  /** One of each size: no one, one person, a few, and nearly all. */
  const PARTS = ['absent', 'person7.', 'PERSON11.many', 'RARE', 'many.example', 'did:plc:1', 'm'];

  /** What a search finds, and what PostgreSQL finds plainly. */
  async function search(part: string, status?: PostStatus, sort: PostSort = 'scheduled_at') {
    const ofStatus = status === undefined ? sql`true` : sql`p.status = ${status}`;
    const plainly = await api.db.many<{ id: string }>(sql`
      select p.id from posts p join users u on u.id = p.user_id
      where (u.handle ilike ${`%${part}%`} or u.did ilike ${`%${part}%`}) and ${ofStatus}
      order by ${PLAIN[sort]}`);
    const ids = plainly.map(({ id }) => id);
    const { people } = await api.db.one<{ people: number }>(sql`
      select count(*) as people from users where handle ilike ${`%${part}%`} or did ilike ${`%${part}%`}`);
    const isCapped = people > 1_000 && ids.length > FILTERED_TOTAL_MAX;
    const found: unknown[] = [];
    const expected: unknown[] = [];
    const page = { sort, order: 'desc' as const, status, limit: 20, offset: 0 };
    let cursor: string | undefined;
    const read = async (offset: number, shown: number) => {
      const request = { ...page, offset, cursor };
      const { rows, cursors, ...rest } = await listPostsOfUsers(api.db, part, request);
      found.push({ part, shown, ...rest, ids: rows.map(({ id }) => id) });
      const total = isCapped
        ? { total: FILTERED_TOTAL_MAX, totalIsCapped: true }
        : { total: ids.length };
      expected.push({ part, shown, ...total, ids: ids.slice(shown, shown + 20) });
      cursor = cursors.next ?? undefined;
    };
    for (const offset of [0, 20, 1500]) {
      cursor = undefined;
      await read(offset, offset);
      // The next page, wherever it would begin by its number.
      if (cursor !== undefined) await read(0, offset + 20);
    }
    return { found, expected };
  }

  async function searchAll() {
    const results = await Promise.all(PARTS.map((part) => search(part)));
    return {
      found: results.map(({ found }) => found),
      expected: results.map(({ expected }) => expected),
    };
  }

  test.each(PARTS)('"%s", of all and of one status', async (part) => {
    for (const status of [undefined, 'COMPLETED', 'PROCESSING'] as const) {
      for (const sort of POST_SORTS) {
        const { found, expected } = await search(part, status, sort);
        expect(found).toEqual(expected);
      }
    }
  });

  test('follow changes of posts, before and after the deltas are applied', async () => {
    await api.db.execute(sql`update posts set status = 'CANCELLED' where status = 'PENDING'`);
    await api.db.execute(sql`delete from posts where status = 'FAILED' and content like '%1'`);
    const newcomer = await insertUser(api.db, { handle: 'new.many.example' });
    await insertPost(api.db, newcomer, { scheduled_at: '2026-11-11T11:11:11Z' });
    const before = await searchAll();
    expect(before.found).toEqual(before.expected);
    await applyDeltas(api.db);
    const after = await searchAll();
    expect(after.found).toEqual(after.expected);
  });

  test('of more than a thousand people are counted up to a thousand', async () => {
    const everybody = { sort: 'created_at', order: 'asc', limit: 1, offset: 0 } as const;
    const totalOf = async (status: PostStatus) => {
      const request = { ...everybody, status };
      const { total, totalIsCapped } = await listPostsOfUsers(api.db, 'many.example', request);
      return { total, totalIsCapped };
    };
    /** Before the deltas are applied, and after it. */
    const totalsOf = async (status: PostStatus) => {
      const before = await totalOf(status);
      while ((await applyDeltas(api.db)) > 0);
      return [before, await totalOf(status)];
    };
    await api.db.execute(sql`delete from posts where status = 'CANCELLED'`);
    expect(await totalsOf('CANCELLED')).toEqual(twice({ total: 0 }));
    await api.db.execute(sql`
      insert into posts (id, user_id, content, status, scheduled_at)
      select gen_random_uuid(), id, 'one of many', 'CANCELLED', '2020-01-01Z'
      from users where handle like '%many.example' limit ${FILTERED_TOTAL_MAX + 1}::int`);
    expect(await totalsOf('CANCELLED')).toEqual(
      twice({ total: FILTERED_TOTAL_MAX, totalIsCapped: true }),
    );
    await api.db.execute(sql`
      delete from posts where id in (select id from posts where content = 'one of many' limit 1)`);
    expect(await totalsOf('CANCELLED')).toEqual(twice({ total: FILTERED_TOTAL_MAX }));
    await api.db.execute(sql`delete from posts where content = 'one of many'`);
    expect(await totalsOf('CANCELLED')).toEqual(twice({ total: 0 }));
  });

  test('of more than a thousand people are not counted further than they are shown', async () => {
    await api.db.execute(sql`vacuum (analyze) users, user_post_counters, counter_deltas`);
    const pagesOfTotal = async (most: number) =>
      pagesOf(
        await planOf(
          api.db,
          sql`select posts_of_people('%many.example%', ${[...POST_STATUSES]}::text[], ${most}::bigint)`,
          ANALYZED,
        ),
      );
    const all = await pagesOfTotal(POSTS * 10);
    expect(await pagesOfTotal(PEOPLE / 10)).toBeLessThan(all / 4);
  });

  test('of a few people who wrote much, but not lately', async () => {
    await api.db.execute(sql`
      insert into posts (id, user_id, content, status, scheduled_at)
      select gen_random_uuid(), u.id, 'long ago ' || number, 'COMPLETED',
             timestamptz '2020-01-01Z' + interval '1 minute' * number
      from users u, generate_series(1, 500) as number where u.handle like 'rare%'`);
    for (const status of [undefined, 'COMPLETED'] as const) {
      const { found, expected } = await search('rare', status);
      expect(found).toEqual(expected);
    }
    await api.db.execute(sql`delete from posts where content like 'long ago%'`);
  });

  test('go on behind a full page after which many others posted', async () => {
    await api.db.execute(sql`
      insert into users (id, did, handle)
      select gen_random_uuid(), 'did:plc:pal' || number, 'pal' || number || '.friends.example'
      from generate_series(1, 301) as number`);
    const crowd = await insertUser(api.db, { handle: 'crowd.example' });
    const insert = (author: Sql, count: number, latest: string) =>
      api.db.execute(sql`
        insert into posts (id, user_id, content, scheduled_at)
        select gen_random_uuid(), ${author}, 'in between',
               ${latest}::timestamptz - interval '1 second' * number
        from generate_series(1, ${count}::int) as number`);
    const pal = sql`(select id from users where handle = 'pal1.friends.example')`;
    await insert(pal, 20, '2031-01-03Z');
    await insert(sql`${crowd}::uuid`, 20_000, '2031-01-02Z');
    await insert(pal, 5, '2030-01-01Z');
    const { found, expected } = await search('friends.example');
    expect(found).toEqual(expected);
    // Both pages, and none for an offset behind the end.
    expect(found).toHaveLength(4);
    await api.db.execute(sql`delete from users where id = ${crowd} or handle like 'pal%'`);
  });

  test('follow changes of names, and people who leave', async () => {
    const mover = await insertUser(api.db, { handle: 'mover.elsewhere.example' });
    await insertPost(api.db, mover);
    await api.db.execute(sql`update users set handle = 'mover.many.example' where id = ${mover}`);
    const moved = await searchAll();
    expect(moved.found).toEqual(moved.expected);
    await api.db.execute(sql`delete from users where handle like 'person119%'`);
    const left = await searchAll();
    expect(left.found).toEqual(left.expected);
  });
});
