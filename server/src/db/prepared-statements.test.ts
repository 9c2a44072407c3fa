import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { databaseOn } from './database.ts';
import type { Db } from './database.ts';
import { sql } from './sql.ts';
import { columnTypes } from './columns.ts';

describe.each(ENGINES)('a statement that is prepared once, on %s', (engine) => {
  let home: TestDatabase;
  let client: Client;
  let db: Db;
  beforeAll(async () => {
    home = await createTestDatabase(engine);
    const { connectionString } = home;
    client = new Client({ connectionString, types: columnTypes, query_timeout: 60_000 });
    await client.connect();
    db = databaseOn(client);
    await db.execute(sql`create table things (id int primary key, name text not null)`);
  });
  afterAll(async () => {
    await client.end();
    await home.drop();
  });

  const share = (parts: number) => db.one(sql`select 6 / ${parts}::int as share`);

  test('is prepared once per connection, and reads its rows every time', async () => {
    const read = (n: number) =>
      db.many(sql`
        select i as n, null::text as nothing, now() > 'epoch' as yes
        from generate_series(1, ${n}::int) i`);
    const rows = [1, 2].map((n) => ({ n, nothing: null, yes: true }));
    expect([await read(2), await read(2), await read(0)]).toEqual([rows, rows, []]);
    const { n } = await db.one<{ n: number }>(sql`
      select count(*) as n from pg_prepared_statements where statement like '%as nothing, now()%'
        and statement not like '%pg_prepared_statements%'`);
    expect(n).toBe(1);
  });

  test('counts the rows it touched', async () => {
    const add = (id: number) =>
      db.execute(sql`insert into things values (${id}, 'x'), (${id + 1}, 'y')`);
    expect([await add(1), await add(3)]).toEqual([2, 2]);
    expect(await db.execute(sql`update things set name = 'z' where id > ${2}`)).toBe(2);
    const returned = sql`delete from things where id > ${0} returning id`;
    expect((await db.many(returned)).length).toBe(4);
    expect(await db.many(returned)).toEqual([]);
  });

  test('works after it failed the first time, while running', async () => {
    await expect(share(0)).rejects.toMatchObject({ code: '22012' });
    expect(await share(2)).toEqual({ share: 3 });
    await expect(share(0)).rejects.toMatchObject({ code: '22012' });
    expect(await share(3)).toEqual({ share: 2 });
  });

  test('works after it failed the first time, before it could be prepared', async () => {
    const readLater = () => db.many(sql`select id from later`);
    await expect(readLater()).rejects.toMatchObject({ code: '42P01' });
    await db.execute(sql`create table later (id int)`);
    expect(await readLater()).toEqual([]);
  });

  test('is refused, not misread, where its columns have changed', async () => {
    await db.execute(sql`create table changing (a int, b text)`);
    await db.execute(sql`insert into changing values (1, 'one')`);
    const readChanging = () => db.one(sql`select * from changing`);
    expect(await readChanging()).toEqual({ a: 1, b: 'one' });
    await db.execute(sql`alter table changing drop column a`);
    await expect(readChanging()).rejects.toMatchObject({ code: '0A000' });
  });

  test('leaves the connection usable after a value that cannot be sent', async () => {
    const circular: unknown[] = [{}];
    Object.assign(circular[0] ?? {}, { circular });
    const sent = db.one(sql`select ${circular[0]}::jsonb as value`);
    await expect(sent).rejects.toThrow(/circular/i);
    expect(await db.one(sql`select ${'still'}::text as here`)).toEqual({ here: 'still' });
  });

  test('takes values of every kind', async () => {
    const bytes = Buffer.from([0, 1, 255]);
    const texts = ['a', '"b\\', '{c}', ''];
    const row = await db.one<Record<string, unknown>>(sql`
      select ${null}::text as nothing, ${true}::boolean as yes, ${1.5}::float8 as number,
             ${texts}::text[] as texts, ${bytes}::bytea as bytes,
             ${bytes}::bytea = any(${[bytes]}::bytea[]) as found`);
    expect(row).toEqual({ nothing: null, yes: true, number: 1.5, texts, bytes, found: true });
  });
});
