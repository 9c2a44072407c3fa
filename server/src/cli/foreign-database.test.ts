import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { catalogueOf } from '../../test/commands/catalogue.ts';
import { COMMANDS, COPY } from '../../test/commands/every-command.ts';
import type { Command } from '../../test/commands/every-command.ts';
import { runProgram } from '../../test/run-program.ts';

const MIGRATIONS = new URL('../db/migrations/', import.meta.url);
const CLEAR = 'drop schema public cascade; create schema public;';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-commands-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A database with this in it instead of Meridian's schema. */
async function databaseWith(text: string): Promise<TestDatabase> {
  const database = await createTestDatabase('server');
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  await client.query(text);
  await client.end();
  return database;
}

/** Meridian's schema as the version before this one left it. */
async function olderSchema(): Promise<string> {
  const files = (await readdir(MIGRATIONS)).toSorted().slice(0, -1);
  const texts = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(new URL(file, MIGRATIONS), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(text).digest('hex');
      return `${text}; insert into schema_migrations
        values (${Number(file.slice(0, 4))}, '${file.slice(5, -4)}', '${checksum}');`;
    }),
  );
  return `${CLEAR} create table schema_migrations (version integer primary key,
    name text not null, checksum text not null, applied_at timestamptz not null default now());
    ${texts.join('\n')}`;
}

const EMPTY = /^The database \w+ is empty\. Set DATABASE_URL or DATA_DIR to [^\n]+\.\n$/;
const FOREIGN =
  /^The database \w+ is not Meridian's: it holds tables of another program\. [^\n]+\.\n$/;
const OLDER =
  /^The schema of the database \w+ is older than this version of Meridian\. Start Meridian [^\n]+\.\n$/;
const NEWER = /^The database schema is newer than this version of Meridian\. Update [^\n]+\.\n$/;

const OF_ANOTHER_PROGRAM = 'a database of another program';
const STATES = [
  ['an empty database', async () => CLEAR, EMPTY],
  [
    OF_ANOTHER_PROGRAM,
    async () => `${CLEAR} create table orders (id int primary key); insert into orders values (1)`,
    FOREIGN,
  ],
  [
    'one whose table of migrations has the same name',
    async () => `${CLEAR} create table schema_migrations (version varchar primary key)`,
    FOREIGN,
  ],
  [
    'one whose tables are in another schema',
    async () => `${CLEAR} create schema shop; create view shop.orders as select 1 as id`,
    FOREIGN,
  ],
  ['an older schema', olderSchema, OLDER],
  [
    'a newer schema',
    async () => `insert into schema_migrations values (9999, 'from-the-future', 'x')`,
    NEWER,
  ],
] as const;

const READERS = ['audit:verify', 'reconcile', 'admin list'];

/**
 * All of them share one check, so each is run once where it could do the most harm. The states that
 * the check tells apart are then played with a reading and a making command.
 */
function commandsFor(state: string, sentence: RegExp): Command[] {
  if (state === OF_ANOTHER_PROGRAM) return [...COMMANDS];
  const names = sentence === EMPTY ? READERS : ['audit:verify', 'admin create'];
  return COMMANDS.filter(({ name }) => names.includes(name));
}

describe.each(STATES)('%s', (state, content, sentence) => {
  let database: TestDatabase;
  let before: string;
  beforeAll(async () => {
    database = await databaseWith(await content());
    before = await catalogueOf(database.connectionString);
  });
  afterAll(() => database.drop());

  const commands = commandsFor(state, sentence);
  test.each(commands)('is left as it is by $name', async ({ program, args, input }) => {
    const env = { DATABASE_URL: database.connectionString, DATA_DIR: folder };
    const run = await runProgram(program, args, env, input);
    expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(await catalogueOf(database.connectionString)).toBe(before);
  });

  test('is left as it is by copy-database that copies from it', async () => {
    const target = await databaseWith(CLEAR);
    const targetBefore = await catalogueOf(target.connectionString);
    const file = join(folder, 'target');
    await writeFile(file, target.connectionString, { mode: 0o600 });
    const env = { DATABASE_URL: database.connectionString };
    const run = await runProgram(COPY, ['--to-file', file], env);
    expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(await catalogueOf(database.connectionString)).toBe(before);
    expect(await catalogueOf(target.connectionString)).toBe(targetBefore);
    await target.drop();
  });
});

describe('a database to copy to', () => {
  const used = STATES.filter(([, , sentence]) => sentence !== EMPTY);
  test.each(used)('is left as it is: %s', async (_, content, sentence) => {
    const [source, target] = [
      await createTestDatabase('server'),
      await databaseWith(await content()),
    ];
    const before = await catalogueOf(target.connectionString);
    const file = join(folder, 'target');
    await writeFile(file, target.connectionString, { mode: 0o600 });
    const run = await runProgram(COPY, ['--to-file', file], {
      DATABASE_URL: source.connectionString,
    });
    expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(await catalogueOf(target.connectionString)).toBe(before);
    await source.drop();
    await target.drop();
  });
});

describe('an empty database', () => {
  const makers = COMMANDS.filter((one) => one.makesSchema);
  test.each(makers)('gets its schema from $name', async ({ program, args, input }) => {
    const database = await databaseWith(CLEAR);
    const env = { DATABASE_URL: database.connectionString, DATA_DIR: folder };
    expect(await runProgram(program, args, env, input)).toMatchObject({ code: 0, stderr: '' });
    const [verify] = COMMANDS;
    expect(await runProgram(verify.program, [], env)).toMatchObject({ code: 0, stderr: '' });
    await database.drop();
  });

  test('gets its schema and every row from copy-database', async () => {
    const [source, target] = [await createTestDatabase('server'), await databaseWith(CLEAR)];
    const file = join(folder, 'target');
    await writeFile(file, target.connectionString, { mode: 0o600 });
    const run = await runProgram(COPY, ['--to-file', file], {
      DATABASE_URL: source.connectionString,
    });
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
      for (const env of [{}, { DATABASE_URL: `postgresql://ana@127.0.0.1:${port}/meridian` }]) {
        const run = await runProgram(new URL(program), ['--help'], { DATA_DIR: dataDir, ...env });
        expect([run.code, run.stderr]).toEqual([0, '']);
        expect(run.stdout).toContain('--help');
      }
      expect(await readdir(dataDir)).toEqual([]);
      expect(connections).toBe(0);
    },
  );
});
