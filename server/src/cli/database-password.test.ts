import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { ServerProcess } from '../../test/process.ts';
import { runProgram } from '../../test/run-program.ts';

const LIST = new URL('../admin-cli/admin-cli.ts', import.meta.url);

let database: TestDatabase;
let folder: string;
/** The address without its password, and what gives the password in another way. */
let bare: string;
let ways: Record<string, Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase('server');
  folder = await mkdtemp(join(tmpdir(), 'meridian-passwords-'));
  const url = new URL(database.connectionString);
  const { password } = url;
  url.password = '';
  bare = url.href;
  const [address, passwords] = [join(folder, 'address'), join(folder, 'pgpass')];
  await writeFile(address, `${database.connectionString}\n`, { mode: 0o600 });
  await writeFile(passwords, `*:*:*:*:${password}\n`, { mode: 0o600 });
  ways = {
    PGPASSWORD: { DATABASE_URL: bare, PGPASSWORD: password },
    PGPASSFILE: { DATABASE_URL: bare, PGPASSFILE: passwords },
    DATABASE_URL_FILE: { DATABASE_URL_FILE: address },
  };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

describe.each(['PGPASSWORD', 'PGPASSFILE', 'DATABASE_URL_FILE'])('the password by %s', (way) => {
  test('serves a command, with --database-url as well', async () => {
    const env = ways[way] ?? {};
    expect(await runProgram(LIST, ['list'], env)).toMatchObject({ code: 0 });
    const args = way === 'DATABASE_URL_FILE' ? [] : ['--database-url', bare];
    const { DATABASE_URL: _, ...rest } = env;
    expect(await runProgram(LIST, ['list', ...args], rest)).toMatchObject({ code: 0 });
  });

  test('serves the server', async () => {
    const server = await ServerProcess.start({ ...ways[way], DATA_DIR: join(folder, way) });
    expect((await fetch(new URL('/readyz', server.url))).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

test('without it the database refuses', async () => {
  const { code, stderr } = await runProgram(LIST, ['list'], { DATABASE_URL: bare });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Cannot use the database at 127\.0\.0\.1:\d+: it asks for a password; give it in DATABASE_URL, PGPASSWORD or a password file\.\n$/,
  );
});

test('a file with the address is refused when others may read it, or it holds none', async () => {
  const file = join(folder, 'open');
  const refusal = async () => {
    const { code, stderr } = await runProgram(LIST, ['list'], { DATABASE_URL_FILE: file });
    return `${code} ${stderr}`;
  };
  expect(await refusal()).toBe(
    `1 DATABASE_URL_FILE must be a file that can be read, not "${file}".\n`,
  );
  await writeFile(file, 'mysql://u:hunter2@h/d', { mode: 0o600 });
  expect(await refusal()).toBe(
    `1 DATABASE_URL_FILE must be a file that holds a PostgreSQL address such as postgresql://meridian@db.example.com/meridian, not "${file}".\n`,
  );
  // What stands behind the address must show in no sentence.
  await writeFile(file, `${database.connectionString}\nhunter2\n`);
  expect(await refusal()).toBe(
    `1 DATABASE_URL_FILE must be a file that holds a PostgreSQL address such as postgresql://meridian@db.example.com/meridian, not "${file}".\n`,
  );
  const device = await runProgram(LIST, ['list'], { DATABASE_URL_FILE: '/dev/zero' });
  expect([device.code, device.stderr]).toEqual([
    1,
    'DATABASE_URL_FILE must be a regular file of at most 4 kB, not "/dev/zero".\n',
  ]);
  await writeFile(file, database.connectionString);
  for (const mode of [0o604, 0o644, 0o620]) {
    await chmod(file, mode);
    expect(await refusal()).toBe(
      `1 DATABASE_URL_FILE must be a file that other users cannot read (chmod 600), not "${file}".\n`,
    );
  }
  // A group of the operator's choice may read it, as container platforms arrange.
  await chmod(file, 0o640);
  expect(await refusal()).toBe('0 ');
});

test('an address and a file at once are refused', async () => {
  const env = { ...ways['PGPASSWORD'], ...ways['DATABASE_URL_FILE'] };
  expect(await runProgram(LIST, ['list'], env)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Set DATABASE_URL or DATABASE_URL_FILE, not both.\n',
  });
});
