import { appendFileSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClientConfig } from 'pg';
import {
  ArgumentError,
  createProgress,
  databasePlace,
  prepareSchema,
  readDatabaseUrl,
  runTool,
  splitArguments,
  withClient,
  withToolDatabase,
} from '../cli/cli.ts';
import { importFiles } from './import-files.ts';
import type { Refusal, Tally } from './import-files.ts';

const USAGE = `Adds people and posts from files of JSON lines; docs/import.md has the format. Nothing that is there is
changed. An empty database gets its tables first. After an interruption, give the same command again:
lines that are there already are passed over.

  npm run import -- people.ndjson posts.ndjson

  --dry-run            do everything in one transaction and roll it back
  --report FILE        where each refused line goes with its reason; default import-refused.ndjson
  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text

Ends with code 0 when every line is in the database, 3 when some were refused, 1 when it could not be
done and 2 when the command line is wrong.
`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  report: { type: 'string', default: 'import-refused.ndjson' },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const TOOL = {
  name: 'import',
  untouched: 'What was imported before stays; the same command continues.',
};
const SOME_REFUSED = 3;

await runTool(TOOL, async () => {
  const { values, positionals } = splitArguments({
    args: process.argv.slice(2),
    options: OPTIONS,
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const place = databasePlace(readDatabaseUrl(values['database-url']));
  const [people, posts = null, ...others] = positionals;
  if (people === undefined || others.length > 0) {
    throw new ArgumentError('Name one or two files: people.ndjson, then posts.ndjson.');
  }
  const { report, 'dry-run': isDryRun } = values;
  await requireFolderOf(report);
  for (const file of posts === null ? [people] : [people, posts]) await requireFile(file, report);
  rmSync(report, { force: true });
  const work = (connection: ClientConfig) => run(connection, { people, posts, isDryRun, report });
  await withToolDatabase(place, work, { mayCreate: !isDryRun });
});

/** The report is made anew, so no file that is still to be read may go by its name. */
async function requireFile(file: string, report: string): Promise<void> {
  const [found, old] = [await statOf(file), await statOf(report)];
  if (found?.isDirectory() !== false) throw new ArgumentError(`There is no file ${file}.`);
  if (found.ino === old?.ino && found.dev === old.dev) {
    throw new ArgumentError(`--report must not be ${file}, which is to be imported.`);
  }
}

/** Before the import: in its midst a line that is refused could not be reported. */
async function requireFolderOf(report: string): Promise<void> {
  const folder = dirname(report);
  if ((await statOf(folder))?.isDirectory() !== true) {
    throw new ArgumentError(`There is no folder ${folder} for the report.`);
  }
  if ((await statOf(report))?.isDirectory() === true) {
    throw new ArgumentError(`--report must be a file, and ${report} is a folder.`);
  }
}

async function statOf(path: string) {
  return stat(path).catch(() => null);
}

type Run = { people: string; posts: string | null; isDryRun: boolean; report: string };

async function run(connection: ClientConfig, { report, ...order }: Run): Promise<void> {
  await prepareSchema(connection);
  const onRefused = (refusals: readonly Refusal[]) => {
    const lines = refusals.map((refusal) => `${JSON.stringify(refusal)}\n`);
    appendFileSync(report, lines.join(''), { mode: 0o600 });
  };
  const { people, posts } = await withClient(connection, (client) =>
    importFiles(client, { ...order, progress: createProgress(process.stderr), onRefused }),
  );
  say(`People: ${describe(people)}`);
  say(`Posts: ${describe(posts)}`);
  if (posts.overdue > 0) say(overdueNote(posts.overdue));
  if (order.isDryRun) say('This was a dry run: nothing was kept.');
  const refused = people.refused + posts.refused;
  if (refused === 0) return;
  say(`${shown(refused)} lines were refused; ${report} has each with its reason.`);
  process.exitCode = SOME_REFUSED;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

function describe({ added, present, refused }: Tally): string {
  return `${shown(added)} added, ${shown(present)} already there, ${shown(refused)} refused.`;
}

function overdueNote(count: number): string {
  return `${shown(count)} of them are PENDING and their time has passed: the engine publishes those within ENGINE_LATE_LIMIT_MINUTES and fails the others as too late.`;
}
