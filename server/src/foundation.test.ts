import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/cluster/test-database.ts';
import type { TestDatabase } from '../test/cluster/test-database.ts';
import { ENGINES } from '../test/app.ts';
import { makeDataDir } from '../test/process.ts';
import { runProgram } from '../test/run-program.ts';
import { createClosers } from './background-task.ts';
import { readConfig } from './config.ts';
import { sql } from './db/sql.ts';
import { openFoundation } from './foundation.ts';
import { createLog } from './log.ts';
import { openPatient } from '../test/patient.ts';

const PROGRAM = new URL('../test/foundation-process.ts', import.meta.url);
const ENDED = { code: 0, stdout: '{"reason":null,"hasDriver":true,"hasHttp":false}', stderr: '' };

describe.each(ENGINES)('a process without the HTTP API on %s', (engine) => {
  let database: TestDatabase;
  let dataDir: string;
  beforeEach(async () => {
    database = await createTestDatabase(engine);
    dataDir = await makeDataDir();
  });
  afterEach(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('opens the database, is ready, closes its connections and ends', async () => {
    const { connectionString } = database;
    const env = { DATABASE_URL: connectionString, DATA_DIR: dataDir };
    expect(await runProgram(PROGRAM, [], env)).toEqual(ENDED);
    const db = openPatient({ connectionString }, 1);
    const others = () =>
      db.one(sql`
        select count(*) as others from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
    // The server notices a moment later that a client is gone.
    await expect.poll(others).toEqual({ others: 0 });
    await db.close();
  });
});

test('a process without the HTTP API starts and stops the embedded database', async () => {
  const dataDir = await makeDataDir();
  expect(await runProgram(PROGRAM, [], { DATA_DIR: dataDir })).toEqual(ENDED);
  await rm(dataDir, { recursive: true, force: true });
});

test('the embedded database takes every connection of DATABASE_POOL_SIZE, and others beside them', async () => {
  const dataDir = await makeDataDir();
  const closers = createClosers();
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_POOL_SIZE: '100' });
  const options = { log: createLog('silent'), closers, say: () => {} };
  const { db } = await openFoundation(config, options);
  const { most } = await db.one<{ most: number }>(
    sql`select current_setting('max_connections')::integer as most`,
  );
  await closers.closeAll();
  await rm(dataDir, { recursive: true, force: true });
  // 15 of counting reads, the queue, the engine, events and a publication, 8 of the live network, 3 that are reserved.
  expect(most).toBeGreaterThanOrEqual(100 + 15 + 8 + 3);
});
