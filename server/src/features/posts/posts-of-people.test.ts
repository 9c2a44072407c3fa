import type { PostStatus } from '@meridian/contract/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { foldCounts } from '../../counts/counts.store.ts';
import { sql } from '../../db/sql.ts';
import { listPostsOfPeople } from './posts-of-people.store.ts';

const PEOPLE = 1_200;
const POSTS = 6_000;
const ORDER = { sort: 'scheduled_at', order: 'desc' } as const;

describe.each(ENGINES)('posts of the people who match on %s', (engine) => {
  let api: TestApp;

  beforeAll(async () => {
    api = await startTestApp(engine);
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
    await foldCounts(api.db);
  });
  afterAll(() => api.close());

  /** One of each size: nobody, one person, a few, and nearly everybody. */
  const PARTS = ['nobody', 'person7.', 'RARE', 'many.example', 'did:plc:1'];

  /** What a search finds, and what PostgreSQL finds plainly. */
  async function search(part: string, status?: PostStatus) {
    const ofStatus = status === undefined ? sql`true` : sql`p.status = ${status}`;
    const plainly = await api.db.many<{ id: string }>(sql`
      select p.id from posts p join users u on u.id = p.user_id
      where (u.handle ilike ${`%${part}%`} or u.did ilike ${`%${part}%`}) and ${ofStatus}
      order by p.scheduled_at desc, p.id desc`);
    const ids = plainly.map(({ id }) => id);
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const offset of [0, 20, 1500]) {
      const page = { ...ORDER, status, limit: 20, place: { after: null, offset } };
      const { rows, total } = await listPostsOfPeople(api.db, part, page);
      found.push({ part, offset, total, ids: rows.map(({ id }) => id) });
      expected.push({ part, offset, total: ids.length, ids: ids.slice(offset, offset + 20) });
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

  const isKept = async () =>
    (await api.db.many(sql`select from search_counts where pattern = '%many.example%'`)).length > 0;

  test.each(PARTS)('"%s", asked once and again, of all and of one status', async (part) => {
    for (const status of [undefined, undefined, 'COMPLETED', 'PROCESSING'] as const) {
      const { found, expected } = await search(part, status);
      expect(found).toEqual(expected);
    }
  });

  test('follow changes of posts, before and after they are added up', async () => {
    expect(await isKept()).toBe(true);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where status = 'PENDING'`);
    await api.db.execute(sql`delete from posts where status = 'FAILED' and content like '%1'`);
    const newcomer = await insertUser(api.db, { handle: 'new.many.example' });
    await insertPost(api.db, newcomer, { scheduled_at: '2026-11-11T11:11:11Z' });
    const before = await searchAll();
    expect(before.found).toEqual(before.expected);
    await foldCounts(api.db);
    const after = await searchAll();
    expect(after.found).toEqual(after.expected);
    expect(await isKept()).toBe(true);
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

  test.each(['person7.many.example', 'PERSON11.many', 'did:plc:77', 'did:plc:1', 'many.exa'])(
    '"%s", which only a piece of is looked up',
    async (part) => {
      const { found, expected } = await search(part);
      expect(found).toEqual(expected);
    },
  );

  test('follow changes of names, and people who leave', async () => {
    const mover = await insertUser(api.db, { handle: 'mover.elsewhere.example' });
    await insertPost(api.db, mover);
    await search('many.example');
    expect(await isKept()).toBe(true);
    await api.db.execute(sql`update users set handle = 'mover.many.example' where id = ${mover}`);
    expect(await isKept()).toBe(false);
    const moved = await searchAll();
    expect(moved.found).toEqual(moved.expected);
    // Nothing that matters to a search, the same name once more among it: what is kept stays.
    await api.db.execute(sql`update users set is_active = false where id = ${mover}`);
    await api.db.execute(sql`update users set handle = handle, did = did where id = ${mover}`);
    expect(await isKept()).toBe(true);
    await api.db.execute(sql`delete from users where handle like 'person119%'`);
    expect(await isKept()).toBe(false);
    const left = await searchAll();
    expect(left.found).toEqual(left.expected);
  });
});
