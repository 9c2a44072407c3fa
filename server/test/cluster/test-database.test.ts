import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from './test-database.ts';

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe.each(['embedded', 'server'] as const)('a test database on the %s engine', (engine) => {
  test('is migrated, empty of what other tests did, and gone once dropped', async () => {
    const [one, other] = await Promise.all([
      createTestDatabase(engine),
      createTestDatabase(engine),
    ]);
    await query(one.connectionString, 'create table mine (n int)');
    const found = await query(
      other.connectionString,
      `select to_regclass('mine') as mine, to_regclass('schema_migrations') is not null as migrated`,
    );
    expect(found).toEqual([{ mine: null, migrated: true }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.connectionString, 'select 1')).rejects.toMatchObject({ code: '3D000' });
  });

  test('can be dropped while a client is connected', async () => {
    const database = await createTestDatabase(engine);
    const client = new Client({ connectionString: database.connectionString });
    // First the server's word that it ends the connection, then the socket's: the first one counts.
    const broken = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await database.drop();
    expect(await broken).toMatchObject({ code: '57P01' });
  });
});

test('the server engine is an ordinary server: over TCP, by password, without special rights', async () => {
  const database = await createTestDatabase('server');
  const { connectionString } = database;
  const found = await query(
    connectionString,
    `select inet_server_addr() is not null as over_tcp, current_setting('is_superuser') as superuser`,
  );
  expect(found).toEqual([{ over_tcp: true, superuser: 'off' }]);
  const wrong = new URL(connectionString);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  await database.drop();
});
