import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import { ENGINE_SESSION_OPTIONS } from './session-options.ts';

test('a connection that is not read any more ends as soon as a lease', async () => {
  const database = await createTestDatabase('server');
  const { connectionString } = database;
  const client = new Client({ connectionString, options: ENGINE_SESSION_OPTIONS });
  await client.connect();
  const { rows } = await client.query('show tcp_user_timeout');
  expect(rows).toEqual([{ tcp_user_timeout: '15000' }]);
  await client.end();
  await database.drop();
});
