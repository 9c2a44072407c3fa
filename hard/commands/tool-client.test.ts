import { afterEach, beforeEach, expect, test } from 'vitest';
import { withClient } from '../../server/src/cli/cli.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import type { TestDatabase } from '../../server/test/cluster/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('server');
});
afterEach(() => database.drop());

test('a command has no time limits, whatever the database has', async () => {
  const { connectionString } = database;
  const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
  await withClient({ connectionString }, async (client) => {
    const { rows } = await client.query('select quote_ident(current_database()) as name');
    for (const name of names) {
      await client.query(`alter database ${rows[0].name} set ${name} = '30s'`);
    }
  });
  const found = await withClient({ connectionString }, async (client) => {
    const text = 'select setting, reset_val from pg_settings where name = any($1)';
    return (await client.query(text, [names])).rows;
  });
  expect(found).toEqual(names.map(() => ({ setting: '0', reset_val: '30000' })));
});
