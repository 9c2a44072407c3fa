import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import { openDatabase } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { ENGINE_SETTINGS } from './engine.ts';

test('a connection that is not read any more ends as soon as a lease', async () => {
  const database = await createTestDatabase('server');
  const { connectionString } = database;
  const db = openDatabase({ connectionString }, { settings: ENGINE_SETTINGS, onError: () => {} });
  expect(await db.one(sql`show tcp_user_timeout`)).toEqual({ tcp_user_timeout: '15000' });
  await db.close();
  await database.drop();
});

test('a commit is on disk, whatever the role has set', async () => {
  const database = await createTestDatabase('server');
  const { connectionString } = database;
  const db = openDatabase({ connectionString }, { settings: ENGINE_SETTINGS, onError: () => {} });
  const other = openDatabase({ connectionString }, { onError: () => {} });
  await other.execute(sql`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database()); end $$`);
  expect(await db.one(sql`show synchronous_commit`)).toEqual({ synchronous_commit: 'on' });
  await db.close();
  await other.close();
  await database.drop();
});
