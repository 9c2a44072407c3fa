import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { createClosers } from '../../src/background-task.ts';
import { faultOf, importedPerson, importedPost } from '../../src/import/format.ts';
import { createTestDatabase } from '../cluster/test-database.ts';
import { COMPILED_ONCE } from '../compiled-once.ts';
import { setUpFolder } from '../folder.ts';
import { ServerProcess } from '../process.ts';
import { examplesFor, linesOf, ROOT } from './read-examples.ts';

const closers = createClosers();
afterEach(() => closers.closeAll());
const folder = setUpFolder();

async function testDatabase() {
  // The one cluster that lets a test make roles.
  const database = await createTestDatabase('embedded');
  closers.add(() => database.drop());
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  closers.add(() => client.end());
  return { client, url: database.connectionString };
}

describe('every statement is accepted', () => {
  test.each(examplesFor('every statement is accepted'))('$document:$line', async ({ text }) => {
    const { client } = await testDatabase();
    await client.query('begin');
    const statements = text
      .replaceAll(/--.*$/gm, '')
      .replaceAll(`= '…'`, `= '00000000-0000-7000-8000-000000000000'`)
      .split(/;\s*$/m)
      .filter((statement) => statement.trim() !== '');
    expect(statements.length).toBeGreaterThan(0);
    for (const [index, statement] of statements.entries()) {
      // One with parameters is checked against tables and functions, without values.
      const prepare = /\$\d/.test(statement) ? `prepare statement_${index} as ` : '';
      await client.query(`${prepare}${statement}`);
    }
    await client.query('rollback');
  });
});

describe('every start serves requests', () => {
  test.each(examplesFor('every start serves requests'))('$document:$line', async (example) => {
    const { url } = await testDatabase();
    const file = join(folder, 'address');
    await writeFile(file, url, { mode: 0o600 });
    // Lines of settings alone belong to a start as well.
    const lines = linesOf(example).filter((line) => !line.startsWith('install '));
    const starts = lines.some((line) => line.endsWith('npm start')) ? lines : [lines.join(' ')];
    for (const line of starts) {
      const given = [...line.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [
        name,
        value.replace('…', 'example'),
      ]);
      const settings = Object.fromEntries(given) as Record<string, string>;
      // In place of what the reader has: an address, a file with it, a folder, a port.
      if (settings['UPSTREAM_API'] === undefined) settings['DATABASE_URL'] = url;
      if (settings['DATABASE_URL_FILE'] !== undefined) {
        delete settings['DATABASE_URL'];
        settings['DATABASE_URL_FILE'] = file;
      }
      // A store that is away: the one of the guide would refuse the key.
      if (settings['OBJECT_STORE_URL'] !== undefined) {
        settings['OBJECT_STORE_ENDPOINT'] = 'http://127.0.0.1:1';
      }
      const own = { PORT: '0', DATA_DIR: await mkdtemp(join(folder, 'data-')) };
      const server = await ServerProcess.start({ ...settings, ...own });
      expect((await fetch(new URL('/readyz', server.url))).status).toBe(200);
      expect(await server.stop()).toBe(0);
    }
  });
});

test('every line has the format', () => {
  const examples = examplesFor('every line has the format');
  const faults = examples.flatMap(({ text }) =>
    text
      .trim()
      .split('\n')
      .map((line) => faultOf(line.includes('"content"') ? importedPost : importedPerson, line)),
  );
  expect(faults).toEqual([null, null, null]);
});

/** `npm run NAME --` is the program that package.json names: npm itself would install first. */
function direct(line: string): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return line.replace(/npm run (\S+)(?: --)?/, (_, name: string) => {
    const program = /server\/src\/\S+\.ts$/.exec(scripts[name] ?? '')?.[0] ?? 'no-such-program';
    return `${process.execPath} ${join(ROOT, program)}`;
  });
}

describe('every command ends with code 0', () => {
  test.each(examplesFor('every command ends with code 0'))('$document:$line', async (example) => {
    const { client, url } = await testDatabase();
    const env = { PATH: process.env['PATH'], ...COMPILED_ONCE, DATABASE_URL: url };
    const cwd = await mkdtemp(join(folder, 'work-'));
    const run = (line: string) =>
      promisify(execFile)('sh', ['-c', `echo quiet river stones | ${direct(line)}`], { cwd, env });
    // What the commands work on: an administrator, a role of another program, the files to import.
    await run('npm run admin -- create admin');
    if (example.text.includes('my_service')) {
      await client.query('create role my_service');
      closers.add(
        async () => void (await client.query('drop owned by my_service; drop role my_service')),
      );
    }
    const files = { 'people.ndjson': 0, 'posts.ndjson': 1 };
    for (const [name, index] of Object.entries(files)) {
      await writeFile(join(cwd, name), examplesFor('every line has the format')[index]?.text ?? '');
    }
    for (const line of linesOf(example)) {
      await expect(run(line)).resolves.toHaveProperty('stdout');
    }
  });
});
