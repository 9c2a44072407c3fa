import { describe, expect, test } from 'vitest';
import { EITHER } from '../../test/app.ts';
import { setUpDatabase } from '../../test/cluster/test-database.ts';
import { setUpFolder } from '../../test/folder.ts';
import { ArgumentError, HelpAsked } from '../cli/cli.ts';
import { uuidV7 } from '../db/columns.ts';
import { sql } from '../db/sql.ts';
import { createLocalStore } from '../objects/local-store.ts';
import { publicUrls } from '../objects/object-store.ts';
import { createFurtherPosts, isDatabaseEmpty, nextDueAt, seedDemoData } from './demo-data.ts';
import { readArguments } from './seed-cli.ts';

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

/** One minute and those after it. */
const at = (second: number) => new Date(2026, 10, 15, 12, 0, second);

const writerOf = (dids: readonly string[]) => {
  let written = 0;
  return () => {
    const did = dids[written % dids.length] ?? '';
    written += 1;
    return {
      did,
      content: `Text ${written}`,
      facets: null,
      embed: null,
      languages: ['en'],
      length: 6,
      pictures: 0,
    };
  };
};

describe('further posts', () => {
  const { db } = setUpDatabase('server');
  const DIDS = ['did:plc:ana', 'did:plc:bea', 'did:plc:nobody-here'];
  const posts = () =>
    db.many<{ id: string; status: string; due: string }>(sql`
    select id, status, scheduled_at as due from posts order by scheduled_at`);
  /** As the engine leaves it. */
  const publish = () =>
    db.execute(sql`
    with sent as (
      update posts p set status = 'COMPLETED', executed_at = scheduled_at, at_rkey = p.id::text,
        at_uri = 'at://' || u.did || '/app.bsky.feed.post/' || p.id
      from users u where u.id = p.user_id and p.status = 'PENDING' returning p.id, p.user_id, u.did),
    journal as (
      insert into deliveries (post_id, user_id, did, host, writes)
      select id, user_id, did, 'local', '[]' from sent)
    insert into local_records (did, collection, rkey, cid, record)
    select did, 'app.bsky.feed.post', id::text, 'cid', '{}' from sent`);

  test.each([
    [new Date(2026, 10, 15, 12, 30, 0, 1), new Date(2026, 10, 15, 12, 31)],
    [new Date(2026, 10, 15, 12, 31), new Date(2026, 10, 15, 12, 32)],
    [new Date(2026, 10, 15, 23, 59, 30), new Date(2026, 10, 16, 0, 0)],
    [new Date(2026, 10, 15, 0, 1), new Date(2026, 10, 15, 0, 10)],
    [new Date(2026, 10, 15, 5, 59, 59), new Date(2026, 10, 15, 6, 0)],
  ])('after %s the next one is due at %s', (now, dueAt) => {
    expect(nextDueAt(now)).toEqual(dueAt);
  });

  test('one post a minute, and none while the last one waits', async () => {
    for (const did of DIDS.slice(0, 2)) {
      await db.execute(
        sql`insert into users (id, did, handle) values (${uuidV7()}, ${did}, ${did})`,
      );
    }
    const next = createFurtherPosts(db, writerOf(DIDS.slice(0, 2)));
    await next(at(10));
    await next(at(40));
    expect(await posts()).toMatchObject([{ status: 'PENDING', due: at(60).toISOString() }]);
    await next(at(70));
    expect(await posts()).toHaveLength(1);
    await publish();
    await next(at(70));
    // Another process, or the next start within the same minute.
    await createFurtherPosts(db, writerOf(DIDS))(at(75));
    expect((await posts()).map(({ due }) => due)).toEqual(
      [60, 120].map((second) => at(second).toISOString()),
    );
    await db.execute(sql`update users set is_active = false where did = ${DIDS[0]}`);
    await publish();
    await createFurtherPosts(db, writerOf(DIDS))(at(130));
    expect(await posts()).toHaveLength(2);
    await db.execute(sql`update users set is_active = true`);
  });

  test('what is older than a day goes, with journal and record, and nothing else does', async () => {
    const next = createFurtherPosts(db, writerOf(DIDS));
    const own = uuidV7();
    await db.execute(sql`
    insert into posts (id, user_id, content, status, scheduled_at, created_at)
    select ${own}, id, 'Own', 'COMPLETED', '2026-01-01', '2026-01-01' from users where did = ${DIDS[0]}`);
    const start = new Date(2026, 10, 16, 12);
    const HOURS = 96;
    for (let hour = 0; hour < HOURS; hour += 1) {
      await next(new Date(start.getTime() + hour * 3_600_000));
      await publish();
    }
    const left = await posts();
    expect(left[0]?.id).toBe(own);
    // Two hours of three have an author, each of whom writes every third hour.
    expect(left.length - 1).toBeGreaterThan(14);
    expect(left.length - 1).toBeLessThan(20);
    const counts = await db.one(sql`
    select (select count(*) from local_records) as records, (select count(*) from deliveries) as deliveries`);
    expect(counts).toEqual({ records: left.length - 1, deliveries: left.length - 1 });
  });
});

test('what is not said has a default', () => {
  expect(readArguments(['--users', '10'])).toEqual({
    users: 10,
    posts: 0,
    days: 365,
    seed: null,
    databaseUrl: null,
  });
  expect(() => readArguments(['--help', '--posts', 'many'])).toThrow(HelpAsked);
});

function readWithPassword() {
  return readArguments(['--users', '1', '--database-url', 'mysql://u:secret@h/d']);
}

describe('a wrong command line is refused in one sentence', () => {
  test.each([
    [[], 'Say how much to add: --users N, --posts N, or both.'],
    [['--users', 'many'], '--users must be a whole number from 0 to 1000000, not "many".'],
    [['--posts=-1'], '--posts must be a whole number from 0 to 50000000, not "-1".'],
    [['--users', '5', '--days', '0'], '--days must be a whole number from 1 to 3650, not "0".'],
    [['--wipe'], 'There is no option --wipe.'],
    [['ten'], 'This command takes options only, not "ten".'],
  ] as const)('%j', (args, sentence) => {
    expect(() => readArguments(args)).toThrow(ArgumentError);
    expect(() => readArguments(args)).toThrow(sentence);
  });

  test('that keeps the password to itself', () => {
    expect(readWithPassword).toThrow(/^--database-url must be a PostgreSQL address [^,]*\.$/u);
    expect(readWithPassword).not.toThrow(/secret/u);
  });
});
