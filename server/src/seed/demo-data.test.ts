import { describe, expect, test } from 'vitest';
import { EITHER } from '../../test/app.ts';
import { setUpDatabase } from '../../test/cluster/test-database.ts';
import { setUpFolder } from '../../test/folder.ts';
import { sql } from '../db/sql.ts';
import { uuidV7 } from '../db/columns.ts';
import { createLocalStore } from '../objects/local-store.ts';
import { publicUrls } from '../objects/object-store.ts';
import { isDatabaseEmpty, seedDemoData } from './demo-data.ts';

/** Drawing hundreds of pictures is most of the work, and slow where many tests run at once. */
const BUSY_MACHINE_MS = 180_000;
const NOW = new Date('2026-11-15T09:41:07.000Z');

describe.each(EITHER)('demonstration data on the %s engine', (engine) => {
  const { database, db } = setUpDatabase(engine);
  const store = createLocalStore({ root: setUpFolder(), publicUrl: publicUrls('/cdn/') });
  const seed = () =>
    seedDemoData({ connection: { connectionString: database.connectionString }, store, now: NOW });

  test('waits for the first administrator', async () => {
    await expect(seed()).rejects.toThrow('Demonstration data needs an administrator first.');
    expect(await isDatabaseEmpty(db)).toBe(true);
    await db.execute(sql`
      insert into admins (id, username, password_hash) values (${uuidV7()}, 'admin', '$none')`);
  });

  test(
    'fills an empty database once, however many ask at the same time',
    async () => {
      const results = await Promise.all([seed(), seed()]);
      expect(results.filter(({ isSeeded }) => isSeeded)).toEqual([
        { isSeeded: true, users: 480, posts: 6000, files: expect.any(Number) },
      ]);
      expect(await isDatabaseEmpty(db)).toBe(false);
      const counts = sql`
      select (select count(*) from users) as users, (select count(*) from posts) as posts,
             (select count(*) from plans) as plans, (select count(*) from tickets) as tickets`;
      const expected = { users: 480, posts: 6000, plans: 6, tickets: 40 };
      expect(await db.one(counts)).toEqual(expected);
      expect(await seed()).toEqual({ isSeeded: false });
      expect(await db.one(counts)).toEqual(expected);
    },
    BUSY_MACHINE_MS,
  );

  test('stores a file for every key that a post or an avatar refers to', async () => {
    const keys = await db.many<{ key: string }>(sql`
      select distinct jsonb_path_query(embed, 'strict $.**.key') #>> '{}' as key
      from posts where embed is not null`);
    const avatars = await db.many<{ avatar: string }>(sql`
      select avatar from users where avatar like '/cdn/%'`);
    const wanted = [
      ...keys.map(({ key }) => key),
      ...avatars.map(({ avatar }) => decodeURIComponent(avatar.slice('/cdn/'.length))),
    ];
    expect(wanted.length).toBeGreaterThan(400);
    const stored = await Promise.all(wanted.map((key) => store.get(key)));
    expect(wanted.filter((_, index) => stored[index] === null)).toEqual([]);
  });

  test('has the posts that others reply to or quote on the local network', async () => {
    const referred = sql`
      select reply_to as uri from posts where reply_to is not null
      union all select embed -> 'record' ->> 'uri' from posts where embed ? 'record'`;
    const records = sql`
      select 'at://' || did || '/' || collection || '/' || rkey as uri from local_records`;
    expect(await db.many(referred)).toHaveLength(2);
    expect(new Set(await db.many(records))).toEqual(new Set(await db.many(referred)));
  });

  test('leaves the closed plan closed, with the tickets that were issued before', async () => {
    const row = await db.one<{ is_active: boolean; tickets: number }>(sql`
      select is_active, (select count(*) from tickets where plan_id = plans.id) as tickets
      from plans where name = 'early-bird-2025'`);
    expect(row).toEqual({ is_active: false, tickets: 2 });
  });

  test('keeps the awkward posts as they are', async () => {
    const rows = await db.many<{ id: string }>(sql`
      select p.id from posts p join users u on u.id = p.user_id
      where p.id::text like '5c4ed000-%' and u.id::text like '0b5e1000-%'`);
    expect(rows).toHaveLength(8);
  });
});
