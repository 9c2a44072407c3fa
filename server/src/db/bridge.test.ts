import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase } from '../../test/empty-database.ts';
import type { EmptyDatabase } from '../../test/empty-database.ts';
import { tableContents } from '../../test/table-contents.ts';
import { protectionFlaws, verifyChain } from '../audit/verify.ts';
import { claimPosts } from '../engine/claim.ts';
import { OPTIONS } from '../engine/testing/claims.ts';
import { DATABASE_IDENTITY } from '../engine/heartbeat.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { describeSchema } from './schema.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

/** A database with demonstration data as the last version before 0.2.0 left it, written by pg_dump. */
const OLD = new URL('./testing/version-41.sql.gz', import.meta.url);
const SCHEMA = new URL('./schema.sql', import.meta.url);

let home: EmptyDatabase;
let db: Database;
beforeEach(async () => {
  // The embedded PostgreSQL, whose version is pinned: others word some definitions differently.
  home = await createEmptyDatabase('embedded');
  await home.query(gunzipSync(await readFile(OLD)).toString());
  db = openDatabase({ connectionString: home.url }, { onError: () => {} });
});
afterEach(async () => {
  await db.close();
  await home.drop();
});

const run = (log?: (line: string) => void) =>
  migrate({ connectionString: home.url }, log && { log });
/** Without the tables that are new. */
const contents = () => tableContents(db, ['schema_migrations', 'schema_functions', 'api_tokens']);

async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: home.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('a database of the version before has the same schema afterwards, and all that it held', async () => {
  const before = await contents();
  await run();
  expect(await contents()).toBe(before);
  expect(await withClient(describeSchema)).toBe(await readFile(SCHEMA, 'utf8'));
  expect((await verifyChain(db)).flaws).toEqual([]);
  expect(await protectionFlaws(db)).toEqual([]);
  expect(await db.many(sql`select from counter_differences`)).toEqual([]);
  expect(await run()).toMatchObject({ applied: 0 });
});

test('its posts go on: those that are due are claimed, those that are out are not', async () => {
  await run();
  // As the first heartbeat of an engine does.
  await db.execute(sql`update engine_database set identity = ${DATABASE_IDENTITY}`);
  await db.execute(sql`update posts set scheduled_at = now() where status = 'PENDING'`);
  const { posts } = await claimPosts(db, OPTIONS);
  expect(posts.length).toBeGreaterThan(10);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(posts.length);
});

test('what keeps it from a table leaves the old schema whole, until it is done', async () => {
  const reader = new Client({ connectionString: home.url });
  await reader.connect();
  await reader.query('begin; lock table tickets in access share mode');
  const lines: string[] = [];
  const done = run((line) => lines.push(line));
  const said =
    'The bridge to the schema of this version waits for another connection that uses its tables.';
  await expect.poll(() => lines, { timeout: 30_000 }).toContain(said);
  expect(
    await db.many(sql`select meridian_api.version() as v from current_tickets limit 1`),
  ).toEqual([{ v: 1 }]);
  await reader.query('commit');
  await reader.end();
  await done;
  expect(await withClient(describeSchema)).toBe(await readFile(SCHEMA, 'utf8'));
});
