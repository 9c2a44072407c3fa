import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { LOCKS } from './sql.ts';
import { latestVersion, migrate } from './migrate.ts';

describe.each(ENGINES)('migrations on %s', (engine) => {
  let home: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    home = await createTestDatabase(engine);
    client = new Client({ connectionString: home.connectionString });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await home.drop();
  });
  const connection = () => ({ connectionString: home.connectionString });

  test('have nothing to do a second time', async () => {
    const version = await latestVersion();
    expect(await migrate(connection())).toEqual({ applied: 0, version });
  });

  test('run once when several processes start on an empty database', async () => {
    await client.query('drop schema public cascade; create schema public');
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const results = await Promise.all(
      Array.from({ length: 4 }, () => migrate(connection(), { log })),
    );
    const { rows } = await client.query('select version, name from schema_migrations order by 1');
    expect(rows[0]).toEqual({ version: 101, name: 'administrators' });
    expect(rows.at(-1)?.version).toBe(await latestVersion());
    expect(lines).toHaveLength(rows.length);
    // The last step makes the functions.
    const applied = results.map((result) => result.applied).filter((steps) => steps > 0);
    expect(applied).toEqual([rows.length + 1]);
  });

  test('take as long as they take, whatever time limits the database has', async () => {
    const { rows } = await client.query('select quote_ident(current_database()) as name');
    const { name } = rows[0];
    await client.query(`alter database ${name} set lock_timeout = '20ms'`);
    await client.query('select pg_advisory_lock($1)', [LOCKS.migrate]);
    const waiting = migrate(connection());
    const isWaiting = `
      select from pg_stat_activity where datname = current_database()
        and query like 'select pg_try_advisory_lock%' and backend_start < clock_timestamp() - interval '100 ms'`;
    await expect.poll(async () => (await client.query(isWaiting)).rowCount).toBe(1);
    await client.query('select pg_advisory_unlock($1)', [LOCKS.migrate]);
    expect(await waiting).toMatchObject({ applied: 0 });
    await client.query(`alter database ${name} reset lock_timeout`);
  });

  test('refuse a schema from a newer release', async () => {
    await client.query("insert into schema_migrations values (9999, 'from-the-future', 'x')");
    await expect(migrate(connection())).rejects.toThrow(
      /^The database schema is newer than this version of Meridian\. Update Meridian/,
    );
    await client.query('delete from schema_migrations where version = 9999');
  });

  test('apply functions again whose text has changed, and only them', async () => {
    await client.query(`
      update schema_functions set checksum = 'other' where name = '1-rules.sql';
      create or replace function resume_lane() returns uuid language sql immutable return null::uuid`);
    expect(await migrate(connection())).toMatchObject({ applied: 1 });
    const { rows } = await client.query(`
      select resume_lane() is not null as "isBack",
        (select count(*) from schema_functions where applied_at > (select min(applied_at) from schema_functions))::int as later`);
    expect(rows).toEqual([{ isBack: true, later: 1 }]);
  });

  test('refuse a file that was changed after it was applied', async () => {
    await client.query("update schema_migrations set checksum = 'other' where version = 101");
    await expect(migrate(connection())).rejects.toThrow('Migration 101 (administrators) differs');
  });

  test('refuse a database that is too old to be brought over at once', async () => {
    await client.query('update schema_migrations set version = version - 100');
    await expect(migrate(connection())).rejects.toThrow(
      'This database was made by a version of Meridian that is too old to be brought over at once. Start the last version before 0.2.0 on it once, then this one.',
    );
  });

  test('say in one sentence which database cannot be used, without its password', async () => {
    const secret = 'hunter2-secret';
    const url = new URL(home.connectionString);
    url.password = secret;
    url.pathname = '/no_such_database';
    const error: unknown = await migrate({ connectionString: url.href }).catch((e: unknown) => e);
    expect(String(error)).toMatch(/Cannot use the database at .+: it (has no database|refuses)/);
    expect(String(error)).not.toContain(secret);
  });
});

test('an unreachable server is one sentence', async () => {
  const attempt = migrate({ connectionString: 'postgres://me:hunter2@127.0.0.1:1/x' });
  await expect(attempt).rejects.toThrow(
    'Cannot reach the database at 127.0.0.1:1 (ECONNREFUSED); check DATABASE_URL.',
  );
});

test('a server without TLS is told from one that cannot be reached', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end('N')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  const connectionString = `postgresql://meridian@127.0.0.1:${port}/d?sslmode=verify-full`;
  await expect(migrate({ connectionString })).rejects.toThrow(
    `Cannot use the database at 127.0.0.1:${port}: it offers no TLS; turn that on there, or take sslmode out of DATABASE_URL.`,
  );
  server.close();
});

describe.each(ENGINES)('a database on %s that cannot be written', (engine) => {
  test('is refused to the server, not to a command that only reads it', async () => {
    const home = await createTestDatabase(engine);
    const connection = {
      connectionString: home.connectionString,
      options: '-c default_transaction_read_only=on',
    };
    const version = await latestVersion();
    expect(await migrate(connection)).toEqual({ applied: 0, version });
    await expect(migrate(connection, { mustBeWritable: true })).rejects.toThrow(
      /^Cannot use the database at .+: it can only be read/,
    );
    await home.drop();
  });
});

test('a role that lacks a right is told which in one sentence', async () => {
  // The role of the embedded database is a superuser and lacks none.
  const home = await createTestDatabase('server');
  const client = new Client({ connectionString: home.connectionString });
  await client.connect();
  await client.query('revoke select on schema_migrations from current_user');
  await client.end();
  await expect(migrate({ connectionString: home.connectionString })).rejects.toThrow(
    /^Cannot use the database at \S+: the role \w+ lacks a right \(permission denied for table schema_migrations\); check DATABASE_URL\.$/,
  );
  await home.drop();
});
