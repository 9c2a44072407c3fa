import { FILTERED_TOTAL_MAX } from '@meridian/contract/post-filter';
import { POST_SORTS, POST_STATUSES } from '@meridian/contract/posts';
import type { PostSort, PostStatus } from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { ANALYZED, pagesOf, planOf } from '../../../test/explain.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { applyDeltas } from '../../counters/counters.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { listPostsOfPeople } from './posts.store.ts';

const PEOPLE = 1_200;
const POSTS = 6_000;
const PLAIN: Record<PostSort, Sql> = {
  scheduled_at: sql`p.scheduled_at desc, p.id desc`,
  created_at: sql`p.created_at desc, p.id desc`,
  status: sql`p.status desc, p.scheduled_at desc, p.id desc`,
};

const twice = (total: object) => [total, total];

describe.each(EITHER)('posts of the people who match on %s', (engine) => {
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
      const { rows, cursors, ...rest } = await listPostsOfPeople(api.db, part, request);
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
      const { total, totalIsCapped } = await listPostsOfPeople(api.db, 'many.example', request);
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
