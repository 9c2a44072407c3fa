import { authLogin } from '@meridian/contract/auth';
import { postList } from '@meridian/contract/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { findDifferences } from '../../server/src/counters/counters.ts';
import type { Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { seedDemoData } from '../../server/src/seed/demo-data.ts';
import { startTestApp } from '../../server/test/app.ts';
import type { TestApp } from '../../server/test/app.ts';
import type { Engine } from '../../server/test/cluster/clusters.ts';
import { setUpFolder } from '../../server/test/folder.ts';
import { runProgram } from '../../server/test/run-program.ts';
import type { Run } from '../../server/test/run-program.ts';
import { tableContents } from '../../server/test/table-contents.ts';

const PROGRAM = new URL('../../server/src/copy/copy-cli.ts', import.meta.url);
const folder = setUpFolder();

/** Addresses with passwords: one in the environment, the other in a file. */
async function copy(from: string, to: string): Promise<Run> {
  const file = join(folder, 'target');
  await writeFile(file, `${to}\n`, { mode: 0o600 });
  return runProgram(PROGRAM, ['--to-file', file], { DATABASE_URL: from });
}

type Opened = TestApp & { url: string };
const opened: Opened[] = [];
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

async function startOn(engine: Engine): Promise<Opened> {
  const api = await startTestApp(engine, { isEmpty: true });
  const { name } = await api.db.one<{ name: string }>(sql`select current_database() as name`);
  const url = new URL(`/${name}`, inject('clusters')[engine]).href;
  opened.push({ ...api, url });
  return { ...api, url };
}

/** A service with a history: demonstration data, sessions, a record of changes, failed logins. */
async function startUsed(engine: Engine) {
  const api = await startOn(engine);
  const admin = await api.signIn('keeper');
  const connection = { connectionString: api.url };
  await seedDemoData({ connection, store: api.context.objects, now: new Date() });
  await api.call(settingsUpdate, { body: { is_closed_beta: true }, token: admin.token });
  await api.call(authLogin, { body: { username: 'keeper', password: 'not this one' } });
  return { api, admin };
}

const triggers = (db: Db) =>
  db.many(sql`
    select tgrelid::regclass::text as at, tgname as name, tgenabled as mode from pg_trigger
    where not tgisinternal order by 1, 2`);

// Which moment the migrations ran is each one's own.
const contents = ({ db }: TestApp) => tableContents(db, ['schema_migrations']);

test('from the embedded database to a server, every row is equal', async () => {
  const { api: source, admin } = await startUsed('embedded');
  const target = await startOn('server');
  const triggersBefore = await triggers(target.db);

  const run = await copy(source.url, target.url);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^posts: \d+$/m);
  expect(run.stdout).toMatch(/Everything is copied: \d+ rows\.\n$/);

  expect(await contents(target)).toBe(await contents(source));
  expect(await triggers(target.db)).toEqual(triggersBefore);
  expect(await findDifferences(target.db, 1)).toEqual([]);
  // Sessions go on, passwords count, changes are recorded.
  const { token } = admin;
  const list = async (api: TestApp) => (await api.call(postList, { token })).answer;
  expect(await list(target)).toEqual(await list(source));
  const { username, password } = admin;
  expect((await target.call(authLogin, { body: { username, password } })).status).toBe(200);
});

test('a database in use is left alone', async () => {
  const [source, target] = [await startOn('server'), await startOn('server')];
  await source.signIn('here');
  await target.signIn('there');
  const before = await tableContents(target.db);
  const run = await copy(source.url, target.url);
  expect(run).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The database to copy to is in use already; give a new, empty one.\n',
  });
  expect(await tableContents(target.db)).toBe(before);
});

test('the schema has no sequence that would have to be copied', async () => {
  const { db } = await startOn('embedded');
  // Those of the job queue are in a schema that is not copied.
  const found = await db.many(sql`
    select relname from pg_class
    where relkind = 'S' and relnamespace = current_schema()::regnamespace`);
  expect(found).toEqual([]);
});

test.each([
  [[], 2, /^Name the database to copy to: --to URL or --to-file FILE\.\n/],
  [['--to', 'postgres://h/d', '--to-file', 'x'], 2, /^Give --to or --to-file, not both\.\n/],
  [['--to-file', '/no/such/file'], 2, /^--to-file must be a file that can be read, not /],
  [['--to', 'postgres://u:secret@h/d'], 2, /^--to must not hold a password, .* use --to-file FILE/],
  [['--to', 'mysql://u:secret@h/d'], 2, /^--to must be a PostgreSQL address [^,]*\.\n/],
])('a wrong command line (%j) is refused in one sentence', async (args, code, sentence) => {
  const run = await runProgram(PROGRAM, args);
  expect(run).toMatchObject({ code, stdout: '' });
  expect(run.stderr).toMatch(sentence);
  expect(run.stderr).not.toContain('secret');
});
