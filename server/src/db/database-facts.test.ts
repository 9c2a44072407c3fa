import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import {
  databaseProblem,
  migrationProblem,
  readDatabaseFacts,
  writeProblem,
} from './database-facts.ts';
import type { DatabaseFacts } from './database-facts.ts';

describe.each(ENGINES)('a migrated database on %s', (engine) => {
  test('describes itself and has no problem', async () => {
    const database = await createTestDatabase(engine);
    const client = new Client({ connectionString: database.connectionString });
    await client.connect();
    const facts = await readDatabaseFacts(client);
    await client.end();
    await database.drop();
    expect(facts).toMatchObject({
      schema: 'public',
      encoding: 'UTF8',
      isStandby: false,
      isReadOnly: false,
      canCreateTables: true,
      canCreateInDatabase: true,
      trigrams: 'installed',
      hasJobSchema: true,
      migrations: 'own',
    });
    expect([databaseProblem(facts), writeProblem(facts), migrationProblem(facts)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

const EMPTY: DatabaseFacts = {
  role: 'meridian',
  database: 'meridian',
  schema: 'public',
  serverVersion: '15.18 (Debian 15.18-0+deb12u1)',
  encoding: 'UTF8',
  isStandby: false,
  isReadOnly: false,
  canCreateTables: true,
  canCreateInDatabase: true,
  trigrams: 'available',
  hasJobSchema: false,
  migrations: 'absent',
  firstTable: null,
  hasOtherTables: false,
};

test('an empty database of the oldest version has no problem', () => {
  expect(databaseProblem(EMPTY) ?? writeProblem(EMPTY) ?? migrationProblem(EMPTY)).toBeNull();
});

test.each(['14.23', '9.6.24'])('PostgreSQL %s is refused', (serverVersion) => {
  expect(databaseProblem({ ...EMPTY, serverVersion })).toBe(
    `it runs PostgreSQL ${serverVersion}; set DATABASE_URL to a server with PostgreSQL 15 or newer`,
  );
});

test('names that need quotes are quoted in the statement to run', () => {
  const facts = { ...EMPTY, role: 'My "role', schema: 'App', canCreateTables: false };
  expect(migrationProblem(facts)).toContain(
    'run GRANT USAGE, CREATE ON SCHEMA "App" TO "My ""role"; as an administrator',
  );
});

test('a server without pg_trgm says what to install', () => {
  expect(migrationProblem({ ...EMPTY, trigrams: 'unavailable' })).toBe(
    "its server lacks the extension pg_trgm; install PostgreSQL's contrib modules there",
  );
});
