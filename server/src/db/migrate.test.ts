import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, setUpApp } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { createEmptyDatabase } from '../../test/empty-database.ts';
import type { EmptyDatabase } from '../../test/empty-database.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { begun, untilWaiting, whileLocked } from '../../test/queue-up.ts';
import { tableContents } from '../../test/table-contents.ts';
import { protectionFlaws, verifyChain } from '../audit/verify.ts';
import { findDifferences, recount } from '../counters/counters.ts';
import { claimPosts } from '../engine/claim.ts';
import { DATABASE_IDENTITY } from '../engine/heartbeat.ts';
import { OPTIONS } from '../engine/testing/claims.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { latestVersion, migrate } from './migrate.ts';
import { describeSchema } from './schema.ts';
import { LOCKS, sql } from './sql.ts';
import type { Sql } from './sql.ts';

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

const TIMEOUT_MS = 30_000;

describe.each(ENGINES)('a migration on %s beside what goes on', (engine) => {
  let home: TestDatabase;
  /** A process of the version before, and the test itself. */
  let old: Client;
  let watch: Client;
  beforeEach(async () => {
    home = await createTestDatabase(engine);
    const { connectionString } = home;
    watch = new Client({ connectionString });
    // The limits of a running process.
    old = new Client({ connectionString, lock_timeout: 3_000, statement_timeout: 5_000 });
    await Promise.all([old, watch].map((client) => client.connect()));
    // All of them, their triggers included, are to be made again.
    await watch.query('delete from schema_functions');
  });
  afterEach(async () => {
    await Promise.all([old, watch].map((client) => client.end()));
    await home.drop();
  });

  const startMigrating = async () => {
    const lines: string[] = [];
    const done = migrate(
      { connectionString: home.connectionString },
      { log: (line) => lines.push(line) },
    );
    const isWaiting = `
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await watch.query(isWaiting)).rowCount).toBe(1);
    return { done, lines };
  };
  test(
    'keeps no statement waiting for as long as a transaction writes to its table',
    async () => {
      await watch.query('begin');
      await watch.query('update posts set content = content where false');
      const lines: string[] = [];
      const connection = { connectionString: home.connectionString };
      const done = migrate(connection, { log: (line) => lines.push(line) });
      const said = 'A change of functions waits for another connection that uses its tables.';
      await expect.poll(() => lines, { timeout: TIMEOUT_MS }).toContain(said);
      await old.query('update posts set content = content where false');
      await watch.query('commit');
      expect(await done).toEqual({ applied: 1, version: await latestVersion() });
    },
    TIMEOUT_MS,
  );

  test(
    'says that the schema of the job queue waits, and makes it when it can',
    async () => {
      await watch.query('drop schema graphile_worker cascade');
      await old.query('begin');
      await old.query('create schema graphile_worker');
      const { done, lines } = await startMigrating();
      const said = 'The schema of the job queue waits for another connection that uses its tables.';
      await expect.poll(() => lines, { timeout: TIMEOUT_MS }).toContain(said);
      await old.query('rollback');
      expect(await done).toMatchObject({ applied: 1 });
      await watch.query('select from graphile_worker.jobs');
    },
    TIMEOUT_MS,
  );

  test(
    'says who holds its lock',
    async () => {
      const { rows } = await old.query<{ pid: number }>(
        'select pg_backend_pid() as pid, pg_advisory_lock($1)',
        [LOCKS.migrate],
      );
      const lines: string[] = [];
      const connection = { connectionString: home.connectionString };
      const done = migrate(connection, { log: (line) => lines.push(line) });
      const said = `Another start holds the lock of the migrations: process ${rows[0]?.pid} of the database`;
      await expect.poll(() => lines.join('\n'), { timeout: TIMEOUT_MS }).toContain(said);
      await old.query('select pg_advisory_unlock($1)', [LOCKS.migrate]);
      expect(await done).toMatchObject({ applied: 1 });
    },
    TIMEOUT_MS,
  );
});

describe('bridge', () => {
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
});

test('no function is shared, and each looks for names in its own schema before a temporary one', async () => {
  const database = await createTestDatabase('server');
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  const { rows } = await client.query(`
    select oid::regprocedure::text as name from pg_proc p
    where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and deptype = 'e')
      and (has_function_privilege('public', oid, 'execute')
        -- A body of standard SQL was bound to its names when it was made.
        or prosqlbody is null and not coalesce(proconfig::text ~ 'search_path=[^"]*, pg_temp"', false))`);
  await client.end();
  await database.drop();
  expect(rows).toEqual([]);
});

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

describe.each(ENGINES)('recount beside a writer on %s', (engine) => {
  const api = setUpApp(engine);

  test.each<[string, (id: string) => Sql]>([
    ['another handle', (id) => sql`update users set handle = 'renamed.test' where id = ${id}`],
    ['another DID', (id) => sql`update users set did = 'did:plc:renamed' where id = ${id}`],
    ['a deletion', (id) => sql`delete from users where id = ${id}`],
  ])('lets the writer go on to %s, and then counts', async (_, next) => {
    const id = await insertUser(api.db);
    await insertPost(api.db, id);
    let recounting: Promise<void> = Promise.resolve();
    let attempts = 0;
    const written = sql`update users set status = 'BLOCKED' where id = ${id}`;
    await whileLocked(api.db, written, async (writer) => {
      attempts += 1;
      recounting = begun(() => recount(api.db));
      await untilWaiting(api.db, 1);
      await writer.execute(next(id));
    });
    await recounting;
    // A transaction that was the victim of a deadlock would have been retried.
    expect(attempts).toBe(1);
    expect(await findDifferences(api.db, 1)).toEqual([]);
    expect(await api.db.many(sql`select from counter_deltas`)).toEqual([]);
  });
});
