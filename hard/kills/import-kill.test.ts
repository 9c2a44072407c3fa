import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { sql } from '../../server/src/db/sql.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { COMPILED_ONCE } from '../../server/test/compiled-once.ts';
import { judge, note } from '../../server/test/figures.ts';
import { openPatient } from '../../server/test/patient.ts';
import { makeDataDir } from '../../server/test/process.ts';
import { runProgram } from '../../server/test/run-program.ts';

/** The long run imports 100,000 people and 1,000,000 posts. */
const POSTS = Number(process.env['IMPORT_POSTS'] ?? 6_000);
const PEOPLE = POSTS / 10;
const PROMISED_PER_MINUTE = 100_000;

const program = (file: string) => new URL(`../../server/src/${file}`, import.meta.url);
const IMPORT = 'import/import-cli.ts';
const EXPORT = 'export/export-cli.ts';
const NAMES = ['people.ndjson', 'posts.ndjson'];

const closers = createClosers();
afterEach(() => closers.closeAll());
let folder: string;
beforeAll(async () => {
  folder = await makeDataDir();
  const database = await createTestDatabase('server');
  const env = { DATABASE_URL: database.connectionString };
  const counts = ['--users', String(PEOPLE), '--posts', String(POSTS)];
  await run('seed/seed-cli.ts', counts, env);
  const { connectionString } = database;
  const db = openPatient({ connectionString });
  // An import refuses what is being sent.
  await db.execute(sql`update posts set status = 'CANCELLED' where status = 'PROCESSING'`);
  await db.close();
  await run(EXPORT, ['--out', folder], env);
  await database.drop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { code, stdout, stderr } = await runProgram(program(file), args, env);
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${stderr}`);
  return stdout;
}

const importArgs = () => [
  ...NAMES.map((name) => join(folder, name)),
  '--report',
  join(folder, 'refused.ndjson'),
];

const hashesIn = (place: string) =>
  Promise.all(
    NAMES.map(async (name) => {
      const hash = createHash('sha256');
      await pipeline(createReadStream(join(place, name)), hash);
      return hash.digest('hex');
    }),
  );

/** Kills the command, as a power switch would, when it has imported a third of the posts. */
async function killHalfWay(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(program(IMPORT)), ...importArgs()], {
    env: { PATH: process.env['PATH'], ...COMPILED_ONCE, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
    if (/posts, kB +[3-9]\d%/.test(said)) child.kill('SIGKILL');
  });
  const [code, signal] = (await ended) as [number | null, string | null];
  expect([code, signal, said]).toEqual([null, 'SIGKILL', said]);
}

test.each(['server', 'embedded'] as const)(
  'an import into the %s database is killed and repeated: every line once',
  async (kind) => {
    const dataDir = await makeDataDir(closers);
    const env: NodeJS.ProcessEnv = { DATA_DIR: dataDir };
    if (kind === 'server') {
      const database = await createTestDatabase('server');
      closers.add(() => database.drop());
      env['DATABASE_URL'] = database.connectionString;
    }
    const startedAt = performance.now();
    await killHalfWay(env);
    const resumed = await run(IMPORT, importArgs(), env);
    const ms = performance.now() - startedAt;
    const added = /Posts: ([\d,]+) added, ([\d,]+) already there, 0 refused/.exec(resumed);
    const [again = 0, before = 0] = (added ?? [])
      .slice(1)
      .map((n) => Number(n.replaceAll(',', '')));
    expect([again + before, before > 0, again > 0]).toEqual([POSTS, true, true]);

    const out = join(dataDir, 'out');
    await run(EXPORT, ['--out', out], env);
    expect(await hashesIn(out)).toEqual(await hashesIn(folder));
    expect(await run('counters/reconcile-cli.ts', [], env)).toBe('Every counter is right.\n');

    const perMinute = Math.round((POSTS / ms) * 60_000);
    note({
      what: `import into the ${kind} database, killed once`,
      posts: POSTS,
      'posts before the kill': before,
      'posts a minute': perMinute,
      'load average': loadavg()[0]?.toFixed(1) ?? '',
    });
    judge({
      goal: `${PROMISED_PER_MINUTE} posts a minute into the ${kind} database, with the kill and the people`,
      measured: `${perMinute}`,
      isMet: perMinute >= PROMISED_PER_MINUTE,
    });
  },
);
