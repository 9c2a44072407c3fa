import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import { describeSchema } from './schema.ts';

test('schema.sql is what the migrations make; `npm run schema` writes it', async () => {
  // The embedded PostgreSQL, whose version is pinned: others word some definitions differently.
  const home = await createTestDatabase('embedded');
  const client = new Client({ connectionString: home.connectionString });
  await client.connect();
  const described = await describeSchema(client);
  await client.end();
  await home.drop();
  expect(await readFile(new URL('./schema.sql', import.meta.url), 'utf8')).toBe(described);
});
