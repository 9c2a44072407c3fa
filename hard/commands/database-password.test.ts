import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readVariables } from '../../server/src/config/parsers.ts';
import { VARIABLES } from '../../server/src/config/variables.ts';
import { StartError } from '../../server/src/start-error.ts';
import { setUpDatabase } from '../../server/test/cluster/test-database.ts';
import { setUpFolder } from '../../server/test/folder.ts';
import { ServerProcess } from '../../server/test/process.ts';
import { runProgram } from '../../server/test/run-program.ts';

const LIST = new URL('../../server/src/admin-cli/admin-cli.ts', import.meta.url);

const { database } = setUpDatabase('server');
const folder = setUpFolder();
/** The address without its password, and what gives the password in another way. */
let bare: string;
let ways: Record<string, Record<string, string>>;
beforeAll(async () => {
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

describe.each(['PGPASSWORD', 'PGPASSFILE', 'DATABASE_URL_FILE'])('the password by %s', (way) => {
  test('serves a command, with --database-url as well', async () => {
    const env = ways[way] ?? {};
    expect(await runProgram(LIST, ['list'], env)).toMatchObject({ code: 0 });
    // The file holds the whole address, so there is nothing to give beside it.
    if (way === 'DATABASE_URL_FILE') return;
    const { DATABASE_URL: _, ...rest } = env;
    const args = ['list', '--database-url', bare];
    expect(await runProgram(LIST, args, rest)).toMatchObject({ code: 0 });
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

const addressFrom = (path: string) => {
  const { DATABASE_URL_FILE } = VARIABLES;
  return readVariables({ DATABASE_URL_FILE }, { DATABASE_URL_FILE: path }).DATABASE_URL_FILE;
};

test('a file with the address is refused when others may read it, or it holds none', async () => {
  const file = join(folder, 'open');
  const refused = (sentence: string, path = file) =>
    expect(() => addressFrom(path)).toThrow(new StartError(sentence));
  const unread = `DATABASE_URL_FILE must be a file that can be read, not "${file}".`;
  refused(unread);
  // The same as a command says it.
  const run = await runProgram(LIST, ['list'], { DATABASE_URL_FILE: file });
  expect([run.code, run.stderr]).toEqual([1, `${unread}\n`]);
  const noAddress = `DATABASE_URL_FILE must be a file that holds a PostgreSQL address such as postgresql://meridian@db.example.com/meridian, not "${file}".`;
  await writeFile(file, 'mysql://u:hunter2@h/d', { mode: 0o600 });
  refused(noAddress);
  // What stands behind the address must show in no sentence.
  await writeFile(file, `${database.connectionString}\nhunter2\n`);
  refused(noAddress);
  refused(
    'DATABASE_URL_FILE must be a regular file of at most 4 kB, not "/dev/zero".',
    '/dev/zero',
  );
  await writeFile(file, database.connectionString);
  for (const mode of [0o604, 0o644, 0o620]) {
    await chmod(file, mode);
    refused(
      `DATABASE_URL_FILE must be a file that other users cannot read (chmod 600), not "${file}".`,
    );
  }
  // A group of the operator's choice may read it, as container platforms arrange.
  await chmod(file, 0o640);
  expect(addressFrom(file)).toBe(database.connectionString);
});

test('an address and a file at once are refused', async () => {
  const env = { ...ways['PGPASSWORD'], ...ways['DATABASE_URL_FILE'] };
  expect(await runProgram(LIST, ['list'], env)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Set DATABASE_URL or DATABASE_URL_FILE, not both.\n',
  });
});
