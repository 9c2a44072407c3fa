import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import { openDatabase } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { ENGINE_SETTINGS } from './session-options.ts';

test('a connection that is not read any more ends as soon as a lease', async () => {
  const database = await createTestDatabase('server');
  const { connectionString } = database;
  const db = openDatabase({ connectionString }, { settings: ENGINE_SETTINGS, onError: () => {} });
  expect(await db.one(sql`show tcp_user_timeout`)).toEqual({ tcp_user_timeout: '15000' });
  await db.close();
  await database.drop();
});
