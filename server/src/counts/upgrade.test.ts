import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { databaseOn } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { latestVersion, migrate } from '../db/migrate.ts';
import { sql } from '../db/sql.ts';
import { columnTypes } from '../db/types.ts';
import { findDifferences, foldCounts } from './counts.store.ts';

const MIGRATIONS = new URL('../db/migrations/', import.meta.url);
/** The last version that noted changes as deltas. */
const WITH_DELTAS = 7;

describe.each(ENGINES)('a database with deltas on %s', (engine) => {
  let home: TestDatabase;
  let client: Client;
  let db: Db;
  beforeAll(async () => {
    home = await createTestDatabase(engine);
    client = new Client({ connectionString: home.connectionString, types: columnTypes });
    await client.connect();
    db = databaseOn(client);
    await client.query('drop schema public cascade; create schema public');
    await client.query(`create table schema_migrations (version integer primary key,
      name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    const files = (await readdir(MIGRATIONS)).toSorted().slice(0, WITH_DELTAS);
    for (const [index, file] of files.entries()) {
      const text = (await readFile(new URL(file, MIGRATIONS), 'utf8')).replaceAll('\r\n', '\n');
      await client.query(text);
      await client.query('insert into schema_migrations values ($1, $2, $3)', [
        index + 1,
        file.replace(/^\d+-|\.sql$/g, ''),
        createHash('sha256').update(text).digest('hex'),
      ]);
    }
  });
  afterAll(async () => {
    await client.end();
    await home.drop();
  });

  test('keeps every number, added up or not, and is asked as before', async () => {
    const author = await insertUser(db);
    for (const at of ['2026-01-01Z', '2026-01-01Z', '1969-12-31T23:30Z', '2025-02-03Z']) {
      await insertPost(db, author, { scheduled_at: at, created_at: at });
    }
    await foldCounts(db);
    await insertPost(db, author, { status: 'COMPLETED' });
    await db.execute(sql`update posts set status = 'CANCELLED' where scheduled_at < '2026-01-01Z'`);
    await db.execute(sql`update users set status = 'BLOCKED'`);

    expect(await migrate({ connectionString: home.connectionString })).toMatchObject({
      version: await latestVersion(),
    });
    expect(await findDifferences(db, 10)).toEqual([]);
    await db.execute(sql`update posts set status = 'CANCELLED' where status = 'PENDING'`);
    expect(await findDifferences(db, 10)).toEqual([]);
    // By the names that a process of the version before still uses.
    expect(
      await db.many(
        sql`select status, sum(n)::integer as n from post_deltas group by 1 order by 1`,
      ),
    ).toEqual([
      { status: 'CANCELLED', n: 2 },
      { status: 'PENDING', n: -2 },
    ]);
    const people = sql`count_posts_of_matching('%did:%')`;
    expect(await db.many(sql`select status, n, people from ${people} order by 1`)).toEqual([
      { status: 'CANCELLED', n: 4, people: 1 },
      { status: 'COMPLETED', n: 1, people: 1 },
      { status: 'PENDING', n: 0, people: 1 },
    ]);
    await foldCounts(db);
    expect(await findDifferences(db, 10)).toEqual([]);
  });
});
