import { POST_STATUSES } from '@meridian/contract/posts';
import { USER_STATUSES } from '@meridian/contract/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';
import { createRandom } from '../demo/random.ts';
import { findDifferences, foldCounts, recount } from './counts.store.ts';

const MANY = 10;
const HOUR = 3_600_000;

describe.each(ENGINES)('kept numbers on %s', (engine) => {
  let api: TestApp;

  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  afterAll(() => api.close());

  /** What is kept and not there, or the other way round; before adding up and after. */
  async function wrongNumbers(): Promise<unknown[]> {
    const before = await findDifferences(api.db, MANY);
    while ((await foldCounts(api.db)) > 0);
    const left = await api.db.many(sql`select * from pending_counts`);
    return [...before, ...(await findDifferences(api.db, MANY)), ...left];
  }

  test('follow every kind of change, one row or many at once', async () => {
    const [ada, ben] = [await insertUser(api.db), await insertUser(api.db)];
    const ids: string[] = [];
    for (const status of POST_STATUSES) ids.push(await insertPost(api.db, ada, { status }));
    expect(await wrongNumbers()).toEqual([]);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where status = 'PENDING'`);
    await api.db.execute(sql`update posts set content = 'another text'`);
    await api.db.execute(sql`update posts set scheduled_at = scheduled_at + interval '40 days'`);
    await api.db.execute(sql`update posts set user_id = ${ben} where id = ${ids[0]}`);
    await api.db.execute(
      sql`update users set status = 'BLOCKED', handle = 'new.test' where id = ${ben}`,
    );
    await api.db.execute(sql`delete from posts where id = ${ids[1]}`);
    expect(await wrongNumbers()).toEqual([]);
    // Their posts go with them.
    await api.db.execute(sql`delete from users where id = ${ada}`);
    expect(await api.db.one(sql`select count(*) from posts`)).toEqual({ count: 1 });
    expect(await wrongNumbers()).toEqual([]);
  });

  test('are left one note by a change of status, and none by what is not counted', async () => {
    const author = await insertUser(api.db);
    const id = await insertPost(api.db, author, { status: 'PENDING' });
    while ((await foldCounts(api.db)) > 0);
    const notes = () =>
      api.db.many(sql`select old_status as was, new_status as became from post_notes
                      union all
                      select old_status, new_status from user_notes`);
    await api.db.execute(sql`update posts set content = 'another text', updated_at = now()`);
    await api.db.execute(sql`update posts set status = status, user_id = user_id`);
    await api.db.execute(sql`update users set is_active = not is_active, status = status`);
    expect(await notes()).toEqual([]);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${id}`);
    expect(await notes()).toEqual([{ was: 'PENDING', became: 'CANCELLED' }]);
    expect(await wrongNumbers()).toEqual([]);
    expect(await notes()).toEqual([]);
  });

  test.each([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:59:59.999999Z', 0],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['1999-12-31T23:00:00Z', 262_967],
    ['2026-11-15T12:34:56Z', 498_540],
    ['9999-12-31T23:59:59.999999Z', 70_389_527],
    ['0001-01-01T00:00:00Z', -17_259_888],
  ])('place %s in the hour %d', async (time, hour) => {
    expect(
      await api.db.one(sql`select hour_of(${time}::timestamptz) as hour,
        start_of_hour(hour_of(${time}::timestamptz)) <= ${time}::timestamptz
        and start_of_hour(hour_of(${time}::timestamptz) + 1) > ${time}::timestamptz as within`),
    ).toEqual({ hour, within: true });
  });

  test('know times before 1970 and ids that are no times', async () => {
    const author = await insertUser(api.db, { created_at: '1938-04-01T11:30:00.000Z' });
    for (const id of [
      '00000000-0000-4000-8000-000000000000',
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
    ]) {
      await insertPost(api.db, author, { id, scheduled_at: '1969-12-31T23:59:59.999Z' });
    }
    expect(await wrongNumbers()).toEqual([]);
  });

  test('are undone with the transaction', async () => {
    const failing = api.db.transaction(async (tx) => {
      await insertUser(tx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await wrongNumbers()).toEqual([]);
  });

  test('are nothing after a table was emptied', async () => {
    await insertPost(api.db, await insertUser(api.db));
    await api.db.execute(sql`truncate posts`);
    expect(await wrongNumbers()).toEqual([]);
    await api.db.execute(sql`truncate users cascade`);
    expect(await wrongNumbers()).toEqual([]);
  });

  test('stay true while eight clients change things and two add up', async () => {
    const authors = await Promise.all(Array.from({ length: 6 }, () => insertUser(api.db)));
    const done = new AbortController();
    const clients = Array.from({ length: 8 }, (_, index) =>
      changeAtRandom(`client ${index}`, authors),
    );
    const adding = Array.from({ length: 2 }, async () => {
      while (!done.signal.aborted) await foldCounts(api.db);
    });
    const reading = async () => {
      while (!done.signal.aborted) expect(await findDifferences(api.db, MANY)).toEqual([]);
    };
    const others = [...adding, reading()];
    await Promise.all(clients).finally(() => done.abort());
    await Promise.all(others);
    expect(await wrongNumbers()).toEqual([]);
  });

  async function changeAtRandom(seed: string, authors: string[]): Promise<void> {
    const random = createRandom(seed);
    for (let step = 0; step < 60; step += 1) {
      const author = random.pick(authors);
      const at = new Date(
        Date.UTC(2026, 0, 1) + Math.floor(random.unit() * 5000) * HOUR,
      ).toISOString();
      const post = sql`(select id from posts order by md5(id::text || ${step + seed}) limit 1)`;
      await random.pick([
        () => insertPost(api.db, author, { scheduled_at: at, created_at: at }),
        () => insertPost(api.db, author, { scheduled_at: at }),
        () =>
          api.db.execute(sql`update posts set status = 'CANCELLED'
              where id = ${post} and status in ('PENDING', 'PROCESSING')`),
        () => api.db.execute(sql`delete from posts where id = ${post}`),
        () =>
          api.db.execute(
            sql`update users set status = ${random.pick(USER_STATUSES)} where id = ${author}`,
          ),
      ])();
    }
  }

  test('that went wrong are found and repaired', async () => {
    await insertPost(api.db, await insertUser(api.db));
    expect(await wrongNumbers()).toEqual([]);
    await api.db.execute(sql`update counts set n = n + 5 where axis = 'posts.id' and width = 24`);
    await api.db.execute(sql`delete from user_post_counts`);
    const found = await findDifferences(api.db, 1000);
    expect(new Set(found.map(({ what }) => what))).toEqual(
      new Set(['posts.id per 24 h', 'posts of a user']),
    );
    await recount(api.db);
    expect(await wrongNumbers()).toEqual([]);
  });
});
