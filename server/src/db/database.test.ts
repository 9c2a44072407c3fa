import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { makeScratchFolder } from '../../test/cluster/scratch-folder.ts';
import { startTcpServer } from '../../test/cluster/tcp-server.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { PATIENT } from '../../test/patient.ts';
import { createClosers } from '../background-task.ts';
import { withClient } from '../cli/cli.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { DatabaseUnavailable, isViolation, patiently } from './errors.ts';
import { sql } from './sql.ts';

describe.each(ENGINES)('the database on %s', (engine) => {
  let home: TestDatabase;
  let db: Database;
  const brokenConnections: Error[] = [];

  beforeAll(async () => {
    home = await createTestDatabase(engine);
    db = openDatabase(
      { connectionString: home.connectionString, ...PATIENT },
      { maxConnections: 4, onError: (error) => brokenConnections.push(error) },
    );
    await db.execute(
      sql`create table counters (id int primary key, n int not null check (n < 100))`,
    );
  });
  beforeEach(async () => {
    await db.execute(sql`truncate counters`);
    await db.execute(sql`insert into counters values (1, 0), (2, 0)`);
  });
  afterAll(async () => {
    await db.close();
    await home.drop();
  });

  const valueOf = async (id: number) =>
    (await db.one<{ n: number }>(sql`select n from counters where id = ${id}`)).n;

  test('reads columns in their wire form', async () => {
    const row = await db.one(sql`
      select '2026-11-15 02:36:45.123987+09'::timestamptz as instant,
             '2026-11-15 02:36:45+00'::timestamptz as whole,
             '2026-11-15'::date as day, 9007199254740991::bigint as safe,
             9007199254740993::bigint as unsafe, 9.90::numeric as price,
             '{"a":[1]}'::jsonb as json, null::timestamptz as nothing`);
    expect(row).toEqual({
      instant: '2026-11-14T17:36:45.123Z',
      whole: '2026-11-15T02:36:45.000Z',
      day: '2026-11-15',
      safe: 9_007_199_254_740_991,
      unsafe: '9007199254740993',
      price: '9.90',
      json: { a: [1] },
      nothing: null,
    });
  });

  test('reads times of a database that writes them in another style', async () => {
    await db.execute(sql`
      do $$ begin execute format('alter database %I set datestyle = German', current_database()); end $$`);
    const connection = { connectionString: home.connectionString };
    const other = openDatabase({ ...connection, ...PATIENT }, { onError: () => {} });
    const query = "select '2027-03-05 12:00+00'::timestamptz as at";
    const command = await withClient(connection, (client) => client.query(query));
    const time = sql`select '2027-03-05 12:00+00'::timestamptz as at`;
    expect([await other.one(time), await other.byIndex.one(time), command.rows[0]]).toEqual(
      Array.from({ length: 3 }, () => ({ at: '2027-03-05T12:00:00.000Z' })),
    );
    await other.close();
    await db.execute(sql`
      do $$ begin execute format('alter database %I reset datestyle', current_database()); end $$`);
  });

  test('each statement sees what is committed, whatever isolation the database has set', async () => {
    await db.execute(sql`
      do $$ begin execute format('alter database %I set default_transaction_isolation = serializable', current_database()); end $$`);
    const connection = { connectionString: home.connectionString };
    const fresh = openDatabase({ ...connection, ...PATIENT }, { onError: () => {} });
    const isolation = sql`select current_setting('transaction_isolation') as level`;
    expect(await fresh.one(isolation)).toEqual({ level: 'read committed' });
    expect(await fresh.byIndex.one(isolation)).toEqual({ level: 'read committed' });
    await fresh.close();
    await db.execute(sql`
      do $$ begin execute format('alter database %I reset default_transaction_isolation', current_database()); end $$`);
  });

  test('compiles no statement, which takes longer than running it', async () => {
    for (const one of [db, db.byIndex]) {
      expect(await one.one(sql`select current_setting('jit') as jit`)).toEqual({ jit: 'off' });
    }
  });

  test('reads by an index where it is asked to, however small the table', async () => {
    const explain = sql`explain (format json, costs off) select * from counters where id > 0`;
    const scan = [{ 'QUERY PLAN': [{ Plan: { 'Node Type': 'Index Scan' } }] }];
    expect(await db.byIndex.many(explain)).toMatchObject(scan);
    expect(await db.many(explain)).not.toMatchObject(scan);
  });

  test('insists on exactly one row where one is asked for', async () => {
    await expect(db.one(sql`select 1 where false`)).rejects.toThrow('found none');
    await expect(db.one(sql`select generate_series(1, 2)`)).rejects.toThrow('found several');
    expect(await db.maybeOne(sql`select 1 where false`)).toBeNull();
    expect(await db.execute(sql`update counters set n = 1`)).toBe(2);
  });

  test('prepares each text once per connection', async () => {
    await db.transaction(async (tx) => {
      for (const id of [1, 2, 1]) await tx.many(sql`select n from counters where id = ${id}`);
      const { count } = await tx.one<{ count: number }>(sql`
        select count(*) from pg_prepared_statements
        where statement = 'select n from counters where id = $1'`);
      expect(count).toBe(1);
    });
  });

  test('commits the work of a transaction, or none of it', async () => {
    await db.transaction((tx) => tx.execute(sql`update counters set n = 5 where id = 1`));
    expect(await valueOf(1)).toBe(5);
    const failing = db.transaction(async (tx) => {
      await tx.execute(sql`update counters set n = 9 where id = 1`);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await valueOf(1)).toBe(5);
  });

  test('does not pretend to commit after a swallowed failure', async () => {
    const work = db.transaction(async (tx) => {
      await tx.execute(sql`update counters set n = 7 where id = 1`);
      await tx.execute(sql`select 1 / 0`).catch(() => {});
    });
    await expect(work).rejects.toThrow('failed statement');
    expect(await valueOf(1)).toBe(0);
  });

  test('names the constraint that was broken and keeps the connection', async () => {
    const error: unknown = await db
      .execute(sql`update counters set n = 1000 where id = 1`)
      .catch((caught: unknown) => caught);
    expect(isViolation(error, 'counters_n_check')).toBe(true);
    expect(isViolation(error, 'counters_pkey')).toBe(false);
    expect(await valueOf(1)).toBe(0);
  });

  test('settles serialisation failures by trying again', async () => {
    const increments = Array.from({ length: 3 }, () =>
      db.transaction(
        async (tx) => {
          const { n } = await tx.one<{ n: number }>(sql`select n from counters where id = 1`);
          await tx.execute(sql`update counters set n = ${n + 1} where id = 1`);
        },
        { isolation: 'repeatable read' },
      ),
    );
    const done = await Promise.allSettled(increments);
    const committed = done.filter(({ status }) => status === 'fulfilled').length;
    expect(committed).toBeGreaterThanOrEqual(1);
    expect(await valueOf(1)).toBe(committed);
  });

  test('settles deadlocks by trying again', async () => {
    const bothStarted = Promise.withResolvers<void>();
    let started = 0;
    const crossing = (first: number, second: number) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`update counters set n = n + 1 where id = ${first}`);
        started += 1;
        if (started === 2) bothStarted.resolve();
        if (started <= 2) await bothStarted.promise;
        await tx.execute(sql`update counters set n = n + 1 where id = ${second}`);
      });
    await Promise.all([crossing(1, 2), crossing(2, 1)]);
    expect([await valueOf(1), await valueOf(2)]).toEqual([2, 2]);
    // One of the two is tried again, and on a busy machine once more.
    expect(started).toBeGreaterThan(2);
  });

  test('refuses to write in a read-only transaction', async () => {
    const work = db.transaction((tx) => tx.execute(sql`update counters set n = 1`), {
      readOnly: true,
    });
    await expect(work).rejects.toMatchObject({ code: '25006' });
  });

  test('outlives connections that the server cuts, in and out of a transaction', async () => {
    const cutSelf = sql`select pg_terminate_backend(pg_backend_pid())`;
    await expect(db.execute(cutSelf)).rejects.toThrow(/unavailable|terminating connection/);
    const work = db.transaction(async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.execute(sql`select pg_terminate_backend(${pid})`);
      // The news of the cut needs a moment to arrive on the idle connection.
      for (;;) await tx.execute(sql`select 1`);
    });
    await expect(work).rejects.toThrow(/unavailable|terminating connection/);
    expect(await valueOf(1)).toBe(0);
  });

  test('says that the database is unavailable when every connection stays taken', async () => {
    const { connectionString } = home;
    const hasty = { connectionString, ...PATIENT, connectionTimeoutMillis: 3_000 };
    const full = openDatabase(hasty, { maxConnections: 4, onError: () => {} });
    const release = Promise.withResolvers<void>();
    const holders = Array.from({ length: 4 }, () => full.transaction(() => release.promise));
    await expect(full.execute(sql`select 1`)).rejects.toThrow(DatabaseUnavailable);
    release.resolve();
    await Promise.all(holders);
    expect(await full.one(sql`select 1 as one`)).toEqual({ one: 1 });
    await full.close();
  });
});

test('an unreachable server is unavailable, not a crash', async () => {
  const db = openDatabase({ host: '127.0.0.1', port: 1 }, { onError: () => {} });
  await expect(db.execute(sql`select 1`)).rejects.toThrow(DatabaseUnavailable);
  await expect(db.transaction((tx) => tx.execute(sql`select 1`))).rejects.toThrow(
    DatabaseUnavailable,
  );
  await db.close();
});

const insert = (text: string) => sql`insert into notes values (${text})`;

describe('unconfirmed', () => {
  const closers = createClosers();
  afterEach(() => closers.closeAll());

  test('a commit whose wait for a standby was ended counts as unknown, alone and in a transaction', async () => {
    const scratch = await makeScratchFolder();
    closers.add(() => rm(scratch, { recursive: true, force: true }));
    const folder = join(scratch, 'server');
    const postgres = await startTcpServer(folder, {});
    closers.add(() => postgres.stop());
    const url = new URL(postgres.connectionString);
    const maker = new Client({ connectionString: url.href });
    await maker.connect();
    await maker.query('create database notes');
    await maker.end();
    url.pathname = '/notes';
    await postgres.stop();
    // No standby of that name ever confirms anything.
    const setting = `synchronous_standby_names = 'absent'\n`;
    await appendFile(join(folder, 'data', 'postgresql.conf'), setting);
    await postgres.startAgain();

    const watching = new Client({ connectionString: url.href });
    await watching.connect();
    closers.add(() => watching.end());
    await watching.query('set synchronous_commit = local; create table notes (text text)');
    const db = openDatabase({ connectionString: url.href }, { onError: () => {} });
    closers.add(() => db.close());

    const endWaits = () =>
      watching.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      );
    for (const write of [
      () => db.execute(insert('alone')),
      () => db.transaction((tx) => tx.execute(insert('in a transaction'))),
    ]) {
      const writing = write().then(
        () => null,
        (error: unknown) => error,
      );
      await expect.poll(async () => (await endWaits()).rowCount).toBe(1);
      expect(await writing).toBeInstanceOf(DatabaseUnavailable);
    }
    expect(await db.one(sql`select count(*)::integer as notes from notes`)).toEqual({ notes: 2 });
  });
});

const slow = new DatabaseUnavailable(new Error('timeout'));

test('a step is repeated until the database answers', async () => {
  const step = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(slow)
    .mockRejectedValueOnce(slow);
  step.mockResolvedValueOnce('there');
  expect(await patiently(step, { pauseMs: 0 })).toBe('there');
  expect(step).toHaveBeenCalledTimes(3);
});

test('a database that never answers ends the start', async () => {
  const step = vi.fn<() => Promise<string>>().mockRejectedValue(slow);
  await expect(patiently(step, { patienceMs: 20, pauseMs: 1 })).rejects.toBe(slow);
});

test('any other error ends it at once', async () => {
  const step = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('wrong'));
  await expect(patiently(step, { pauseMs: 0 })).rejects.toThrow('wrong');
  expect(step).toHaveBeenCalledTimes(1);
});
