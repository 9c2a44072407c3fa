import { access, chmod, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { startFakeS3 } from '../../server/src/objects/testing/fake-s3.ts';
import type { Fault } from '../../server/src/objects/testing/fake-s3.ts';
import { createEmptyDatabase, relationsIn } from '../../server/test/empty-database.ts';
import type { EmptyDatabase } from '../../server/test/empty-database.ts';
import { ServerProcess, failedStart, makeDataDir } from '../../server/test/process.ts';
import { refusalOf } from '../../server/test/refused-start.ts';

const closers = createClosers();
afterEach(() => closers.closeAll());

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

async function emptyDatabase(how?: string): Promise<EmptyDatabase> {
  const database = await createEmptyDatabase('server', how);
  closers.add(() => database.drop());
  return database;
}

async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  closers.add(async () => void other.close());
  return (other.address() as AddressInfo).port; // a TCP server has no other kind of address
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const inFolder = (prepare: (folder: string) => Promise<string>) => async () =>
  prepare(await makeDataDir(closers));

const portSentence = (port: number) =>
  `Cannot listen on 127.0.0.1:${port}: the port is in use; stop the other program or set PORT to another number.\n`;

const cannotCreate = ({ role }: EmptyDatabase, grant: string) =>
  `the role ${role} of DATABASE_URL may not create tables; run ${grant} as an administrator of the database`;
const foreign = ({ name }: EmptyDatabase, table: string) =>
  `${name} holds the tables of another program (${table}); set DATABASE_URL to an empty database`;

const folderSentence = (path: string, reason: string) =>
  `The data folder ${path} cannot be written (${reason}); set DATA_DIR to a folder that this account may write to.\n`;

describe('a data folder in which nothing can be created', () => {
  const CASES: [string, boolean, () => Promise<string>, string][] = [
    ['under /proc', isLinux, async () => '/proc/meridian', 'nothing can be created there'],
    ['deep under /proc', isLinux, async () => '/proc/self/a/b', 'nothing can be created there'],
    [
      'that is a file',
      true,
      inFolder(async (folder) => {
        await writeFile(join(folder, 'file'), '');
        return join(folder, 'file');
      }),
      'a file stands where a folder should be',
    ],
    [
      'below a file',
      true,
      inFolder(async (folder) => {
        await writeFile(join(folder, 'file'), '');
        return join(folder, 'file', 'a', 'b');
      }),
      'a file stands where a folder should be',
    ],
    [
      'that is a link to nothing',
      true,
      inFolder(async (folder) => {
        await symlink(join(folder, 'nothing'), join(folder, 'link'));
        return join(folder, 'link');
      }),
      'nothing can be created there',
    ],
    [
      'without permission',
      !isRoot,
      inFolder(async (folder) => {
        await chmod(folder, 0o500);
        return join(folder, 'data');
      }),
      'permission denied',
    ],
  ];

  test('ends the process, for both databases', async () => {
    const database = await emptyDatabase();
    const path = join(await makeDataDir(closers), 'file');
    await writeFile(path, '');
    const stderr = folderSentence(path, 'a file stands where a folder should be');
    const starts = [{}, { DATABASE_URL: database.url }];
    expect(await Promise.all(starts.map((env) => failedStart({ DATA_DIR: path, ...env })))).toEqual(
      starts.map(() => ({ code: 1, stderr })),
    );
    expect(await relationsIn(database)).toEqual([]);
  });

  for (const [what, isPossible, prepare, reason] of CASES) {
    test.runIf(isPossible)(`${what} is refused, for both databases`, async () => {
      const path = await prepare();
      const before = await readdir(dirname(path)).catch(() => 'no folder');
      const database = await emptyDatabase();
      for (const env of [{}, { DATABASE_URL: database.url }]) {
        expect(await refusalOf({ DATA_DIR: path, ...env })).toBe(folderSentence(path, reason));
      }
      expect(await relationsIn(database)).toEqual([]);
      // Processes come and go there.
      if (path.startsWith('/proc')) return;
      expect(await readdir(dirname(path)).catch(() => 'no folder')).toEqual(before);
    });
  }

  test.runIf(isLinux)('of the kernel is refused', async () => {
    // Denied or mounted read-only, as the machine has it.
    expect(await refusalOf({ DATA_DIR: '/sys/meridian' })).toMatch(
      /^The data folder \/sys\/meridian cannot be written \(.+\); set DATA_DIR to a folder .+\.\n$/,
    );
  });

  test('is not asked for in front of another service', async () => {
    const path = join(await makeDataDir(closers), 'file');
    await writeFile(path, '');
    const env = { DATA_DIR: path, UPSTREAM_API: 'http://127.0.0.1:1' };
    const server = await ServerProcess.start(env);
    expect(await server.stop()).toBe(0);
  });
});

describe('a taken port is refused before anything is created', () => {
  test('with the embedded database', async () => {
    const port = await takenPort();
    const folder = await makeDataDir(closers);
    const env = { PORT: String(port), DATA_DIR: join(folder, 'data') };
    expect(await refusalOf(env)).toBe(portSentence(port));
    expect(await readdir(folder)).toEqual([]);
  });

  test('with a server', async () => {
    const port = await takenPort();
    const folder = await makeDataDir(closers);
    const database = await emptyDatabase();
    const env = {
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url,
    };
    expect(await failedStart(env)).toEqual({ code: 1, stderr: portSentence(port) });
    expect(await readdir(folder)).toEqual([]);
    expect(await relationsIn(database)).toEqual([]);
  });
});

describe('NETWORK=live without what it needs is refused before anything is created', () => {
  test.each([
    ['PUBLIC_URL', {}, /^NETWORK=live needs PUBLIC_URL, /],
    [
      'a key',
      { PUBLIC_URL: 'https://posts.example.com' },
      /^NETWORK=live with DATABASE_URL needs ENGINE_KEY_FILE or ENGINE_KEY: /,
    ],
  ])('%s', async (_, given, sentence) => {
    const folder = await makeDataDir(closers);
    const database = await emptyDatabase();
    const env = { NETWORK: 'live', DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url };
    expect(await refusalOf({ ...env, ...given })).toMatch(sentence);
    expect(await readdir(folder)).toEqual([]);
    expect(await relationsIn(database)).toEqual([]);
  });
});

async function objectStore(given: Record<string, string>, fault: Fault | null = null) {
  const fake = await startFakeS3();
  fake.fault = () => fault;
  closers.add(() => fake.close());
  return {
    OBJECT_STORE_URL: `s3://${fake.bucket}`,
    OBJECT_STORE_ENDPOINT: fake.endpoint,
    AWS_REGION: fake.credentials.region,
    AWS_ACCESS_KEY_ID: fake.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fake.credentials.secretAccessKey,
    ...given,
  };
}

describe('an object store', () => {
  test.each<[string, Record<string, string>, Fault | null, string]>([
    [
      'whose bucket does not exist',
      { OBJECT_STORE_URL: 's3://no-such-bucket' },
      null,
      'OBJECT_STORE_URL names a bucket that does not exist; create it or name another.\n',
    ],
    [
      'that does not know the key',
      {},
      { kind: 'status', status: 403, code: 'InvalidAccessKeyId' },
      'The object store does not know the key of AWS_ACCESS_KEY_ID.\n',
    ],
    [
      'that refuses the secret',
      { AWS_SECRET_ACCESS_KEY: 'another' },
      null,
      'The object store refuses the secret of AWS_SECRET_ACCESS_KEY.\n',
    ],
  ])('%s is refused before anything is created', async (_, given, fault, sentence) => {
    const folder = await makeDataDir(closers);
    const settings = await objectStore(given, fault);
    expect(await refusalOf({ DATA_DIR: join(folder, 'data'), ...settings })).toBe(sentence);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each<[string, Fault | null, boolean]>([
    ['there', null, false],
    ['away for now', { kind: 'drop' }, true],
    ['unwilling to say', { kind: 'status', status: 403, code: 'AccessDenied' }, true],
  ])('that is %s keeps no server from starting', async (_, fault, isLogged) => {
    const database = await emptyDatabase();
    const server = await ServerProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: await makeDataDir(closers),
      ...(await objectStore({}, fault)),
    });
    expect(await server.stop()).toBe(0);
    expect(server.output.includes('The object store cannot be read')).toBe(isLogged);
  });

  test('that takes no pictures leaves out the demonstration data', async () => {
    const fault: Fault = { kind: 'status', status: 403, code: 'AccessDenied' };
    const settings = await objectStore({}, fault);
    const server = await ServerProcess.start({
      DATA_DIR: await makeDataDir(closers),
      ...settings,
    });
    expect(await server.stop()).toBe(0);
    expect(server.output).toContain('Demonstration data: left out, because the object store');
  });
});

describe('a database that cannot be used is refused, and stays as it was', () => {
  type Case = {
    what: string;
    how?: string;
    prepare?: (database: EmptyDatabase) => string;
    problem: (database: EmptyDatabase) => string;
  };
  const CASES: Case[] = [
    ...['SQL_ASCII', 'LATIN1'].map((encoding) => ({
      what: `in ${encoding}`,
      how: `encoding '${encoding}' locale 'C' template template0`,
      problem: ({ name }: EmptyDatabase) =>
        `the encoding of ${name} is ${encoding}; set DATABASE_URL to a database created with ENCODING 'UTF8' TEMPLATE template0`,
    })),
    {
      what: 'whose schema the role may not create tables in',
      prepare: () => 'revoke create on schema public from pg_database_owner, public',
      problem: (database) =>
        cannotCreate(database, `GRANT USAGE, CREATE ON SCHEMA "public" TO "${database.role}";`),
    },
    {
      what: 'whose schema the role may not enter',
      prepare: () => 'revoke all on schema public from pg_database_owner, public',
      problem: (database) =>
        cannotCreate(database, `GRANT USAGE, CREATE ON SCHEMA "public" TO "${database.role}";`),
    },
    {
      what: 'in which the role may not create an extension',
      prepare: ({ name, role }) => `revoke create on database "${name}" from "${role}"`,
      problem: (database) =>
        cannotCreate(
          database,
          `GRANT CREATE ON DATABASE "${database.name}" TO "${database.role}";`,
        ),
    },
    {
      what: 'that can only be read',
      prepare: ({ name }) => `alter database "${name}" set default_transaction_read_only = on`,
      problem: () =>
        'it can only be read (default_transaction_read_only is on); turn that off or set DATABASE_URL to another database',
    },
    {
      what: 'with the migrations of another program',
      prepare: () =>
        "create table schema_migrations (version varchar primary key); insert into schema_migrations values ('20250101000000')",
      problem: (database) => foreign(database, 'schema_migrations'),
    },
    {
      what: 'with migrations of another program that look alike',
      prepare: () =>
        'create table schema_migrations (version bigint primary key, name text, checksum text)',
      problem: (database) => foreign(database, 'schema_migrations'),
    },
    {
      what: 'with the tables of another program',
      prepare: () => 'create table orders (id integer)',
      problem: (database) => foreign(database, 'orders'),
    },
    {
      what: 'with a table of a name that Meridian uses',
      prepare: () => 'create table users (id integer)',
      problem: (database) => foreign(database, 'users'),
    },
  ];

  const refusalFor = (database: EmptyDatabase, problem: Case['problem']) =>
    `Cannot use the database at ${database.place}: ${problem(database)}.\n`;

  test.each(CASES)('$what', async ({ how, prepare, problem }) => {
    const database = await emptyDatabase(how);
    if (prepare !== undefined) await database.query(prepare(database));
    const before = await relationsIn(database);
    const folder = await makeDataDir(closers);
    const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url };
    expect(await refusalOf(env)).toBe(refusalFor(database, problem));
    expect(await relationsIn(database)).toEqual(before);
    expect(await readdir(folder)).toEqual([]);
  });

  test('with the tables of another program ends the process', async () => {
    const database = await emptyDatabase();
    await database.query('create table orders (id integer)');
    const folder = await makeDataDir(closers);
    const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url };
    const stderr = refusalFor(database, () => foreign(database, 'orders'));
    expect(await failedStart(env)).toEqual({ code: 1, stderr });
    expect(await relationsIn(database)).toEqual(['orders']);
    expect(await readdir(folder)).toEqual([]);
  });

  test('while the extensions of an empty one are no tables of another program', async () => {
    const database = await emptyDatabase();
    await database.query('create extension pg_trgm');
    const folder = await makeDataDir(closers);
    const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url };
    const server = await ServerProcess.start(env);
    expect(await server.stop()).toBe(0);
    expect(await isThere(join(folder, 'data'))).toBe(true);
  });
});

test.runIf(isRoot)('a start as root says so once, and goes on', async () => {
  const server = await ServerProcess.start({
    DATA_DIR: await makeDataDir(closers),
    UPSTREAM_API: 'http://127.0.0.1:1',
  });
  expect(await server.stop()).toBe(0);
  expect(server.output.match(/runs as root/g)).toHaveLength(1);
});
