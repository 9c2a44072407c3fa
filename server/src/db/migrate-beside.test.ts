import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { LOCKS } from './sql.ts';
import { latestVersion, migrate } from './migrate.ts';

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
