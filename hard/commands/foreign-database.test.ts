import { once } from 'node:events';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSchema, withReadOnlyClient } from '../../server/src/cli/cli.ts';
import { isStartError } from '../../server/src/start-error.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import type { TestDatabase } from '../../server/test/cluster/test-database.ts';
import { catalogueOf } from '../../server/test/commands/catalogue.ts';
import { createEmptyDatabase } from '../../server/test/empty-database.ts';
import { setUpFolder } from '../../server/test/folder.ts';
import { runProgram } from '../../server/test/run-program.ts';
import { COMMANDS, COPY } from './every-command.ts';

const folder = setUpFolder();

/** A database with this in it instead of Meridian's schema. */
async function databaseWith(text = ''): Promise<TestDatabase> {
  const made = await createEmptyDatabase('server');
  await made.query(text);
  return { connectionString: made.url, drop: () => made.drop() };
}

/** Meridian's schema as a later version left it. */
async function newerDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('server');
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  await client.query(`insert into schema_migrations values (9999, 'from-the-future', 'x')`);
  await client.end();
  return database;
}

async function copyBetween(from: TestDatabase, to: TestDatabase) {
  const file = join(await mkdtemp(join(folder, 'target-')), 'address');
  await writeFile(file, to.connectionString, { mode: 0o600 });
  return runProgram(COPY, ['--to-file', file], { DATABASE_URL: from.connectionString });
}

/** The sentence that a command would print. */
async function refusalOf(work: Promise<void>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return isStartError(error) ? `${error.message}\n` : `No refusal: ${String(error)}`;
}

/** Meridian's schema as a version left it whose functions were others. */
async function olderDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('server');
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  await client.query(`update schema_functions set checksum = 'other'`);
  await client.end();
  return database;
}

const EMPTY = /^The database \w+ is empty\. Set DATABASE_URL or DATA_DIR to [^\n]+\.\n$/;
const FOREIGN =
  /^The database \w+ is not Meridian's: it holds tables of another program\. [^\n]+\.\n$/;
const OLDER =
  /^The schema of the database \w+ is older than this version of Meridian\. Start Meridian [^\n]+\.\n$/;
const NEWER = /^The database schema is newer than this version of Meridian\. Update [^\n]+\.\n$/;

const OF_ANOTHER_PROGRAM =
  'create table orders (id int primary key); insert into orders values (1)';
const STATES = [
  ['an empty database', () => databaseWith(), EMPTY],
  ['one with the tables of another program', () => databaseWith(OF_ANOTHER_PROGRAM), FOREIGN],
  [
    'one whose table of migrations has the same name',
    () => databaseWith('create table schema_migrations (version varchar primary key)'),
    FOREIGN,
  ],
  [
    'one whose tables are in another schema',
    () => databaseWith('create schema shop; create view shop.orders as select 1 as id'),
    FOREIGN,
  ],
  ['an older schema', olderDatabase, OLDER],
  ['a newer schema', newerDatabase, NEWER],
] as const;

describe.each(STATES)('%s', (_, make, sentence) => {
  let database: TestDatabase;
  let before: string;
  beforeAll(async () => {
    database = await make();
    before = await catalogueOf(database.connectionString);
  });
  afterAll(() => database.drop());

  test('is left as it is by the check before a command that reads', async () => {
    const { connectionString } = database;
    const refusal = await refusalOf(withReadOnlyClient({ connectionString }, async () => {}));
    expect(refusal).toMatch(sentence);
    expect(await catalogueOf(connectionString)).toBe(before);
  });

  test.runIf(sentence !== EMPTY)(
    'is left as it is by the check before a command that makes the schema',
    async () => {
      const { connectionString } = database;
      expect(await refusalOf(prepareSchema({ connectionString }))).toMatch(sentence);
      expect(await catalogueOf(connectionString)).toBe(before);
    },
  );
});

// They share these two checks, so each is run once, where it could do the most harm.
describe('a database of another program', () => {
  let database: TestDatabase;
  let before: string;
  beforeAll(async () => {
    database = await databaseWith(OF_ANOTHER_PROGRAM);
    before = await catalogueOf(database.connectionString);
  });
  afterAll(() => database.drop());

  test.each(COMMANDS)('is left as it is by $name', async ({ program, args, input }) => {
    const env = { DATABASE_URL: database.connectionString, DATA_DIR: folder };
    const run = await runProgram(program, args, env, input);
    expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(FOREIGN) });
    expect(await catalogueOf(database.connectionString)).toBe(before);
  });

  test('is left as it is by copy-database, from it and to it', async () => {
    const other = await databaseWith();
    const meridian = await createTestDatabase('server');
    const otherBefore = await catalogueOf(other.connectionString);
    const refused = { code: 1, stdout: '', stderr: expect.stringMatching(FOREIGN) };
    expect(
      await Promise.all([copyBetween(database, other), copyBetween(meridian, database)]),
    ).toEqual([refused, refused]);
    expect(await catalogueOf(database.connectionString)).toBe(before);
    expect(await catalogueOf(other.connectionString)).toBe(otherBefore);
    await other.drop();
    await meridian.drop();
  });
});

describe('an empty database', () => {
  const READERS = new Set(['audit:verify', 'reconcile', 'export', 'admin list']);
  const readers = COMMANDS.filter(({ name }) => READERS.has(name));
  test.each(readers)('stays empty after $name', async ({ program, args }) => {
    const database = await databaseWith();
    const before = await catalogueOf(database.connectionString);
    const env = { DATABASE_URL: database.connectionString, DATA_DIR: folder };
    const run = await runProgram(program, args, env);
    expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(EMPTY) });
    expect(await catalogueOf(database.connectionString)).toBe(before);
    await database.drop();
  });

  const makers = COMMANDS.filter((one) => one.makesSchema);
  test.each(makers)('gets its schema from $name', async ({ program, args, input }) => {
    const database = await databaseWith();
    const env = { DATABASE_URL: database.connectionString, DATA_DIR: folder };
    expect(await runProgram(program, args, env, input)).toMatchObject({ code: 0, stderr: '' });
    const { connectionString } = database;
    await withReadOnlyClient({ connectionString }, async () => {});
    await database.drop();
  });

  test('gets its schema and every row from copy-database', async () => {
    const [source, target] = [await createTestDatabase('server'), await databaseWith()];
    const run = await copyBetween(source, target);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    await source.drop();
    await target.drop();
  });
});

describe('--help', () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  test.each([...new Set([...COMMANDS.map(({ program }) => program.href), COPY.href])])(
    'of %s opens no connection and no embedded database',
    async (program) => {
      // Nothing else listens there: the port says whether anything came.
      const { port } = server.address() as AddressInfo;
      const dataDir = await mkdtemp(join(folder, 'data-'));
      const address = { DATABASE_URL: `postgresql://ana@127.0.0.1:${port}/meridian` };
      const runs = [{}, address].map((env) =>
        runProgram(new URL(program), ['--help'], { DATA_DIR: dataDir, ...env }),
      );
      for (const { code, stdout, stderr } of await Promise.all(runs)) {
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toContain('--help');
      }
      expect(await readdir(dataDir)).toEqual([]);
      expect(connections).toBe(0);
    },
  );
});
