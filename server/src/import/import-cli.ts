import { appendFileSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Client, ClientConfig } from 'pg';
import type * as z from 'zod/mini';
import { HOST, record } from '../audit/audit.store.ts';
import {
  ArgumentError,
  DATABASE_OPTIONS,
  DATABASE_USAGE,
  createProgress,
  databasePlace,
  prepareSchema,
  readDatabaseUrl,
  runTool,
  say,
  splitArguments,
  withClient,
  withToolDatabase,
} from '../cli/cli.ts';
import type { Progress } from '../cli/cli.ts';
import { applyAllDeltas } from '../counters/counters.ts';
import { uuidV7 } from '../db/columns.ts';
import { databaseOn } from '../db/database.ts';
import { detectFacets } from '../features/me/compose-post.ts';
import { faultOf, importedPerson, importedPost, readLines } from './format.ts';
import { importBatch, importPeople, importPosts } from './import-batch.ts';

type Refusal = { file: string; line: number; reason: string };
type Tally = { added: number; present: number; refused: number; overdue: number };
type Order = {
  people: string;
  posts: string | null;
  isDryRun: boolean;
  progress: Progress;
  onRefused: (refusals: readonly Refusal[]) => void;
};

const BATCH_LINES = 1_000;
const BATCH_BYTES = 4_000_000;

const KINDS = {
  people: { schema: importedPerson, statement: importPeople, table: 'users' },
  posts: { schema: importedPost, statement: importPosts, table: 'posts' },
} as const;
type Kind = keyof typeof KINDS;

/** Lines are known by their ids, so a run that was killed is repeated from the start. */
async function importFiles(client: Client, order: Order): Promise<Record<Kind, Tally>> {
  const db = databaseOn(client);
  const id = uuidV7();
  const log = async (action: 'importStart' | 'importFinish', after: object) => {
    if (!order.isDryRun)
      await record(db, { by: HOST, action, batch: id }, { id, before: null, after });
  };
  await log('importStart', { people: order.people, posts: order.posts });
  if (order.isDryRun) await client.query('begin');
  // A crash of the database may undo the last batches, which the next run adds again. The entry at
  // the end is written through, and with it everything before.
  await client.query('set synchronous_commit = off');
  const people = await importFile(client, 'people', order.people, order);
  const posts =
    order.posts === null ? noTally() : await importFile(client, 'posts', order.posts, order);
  if (order.isDryRun) await client.query('rollback');
  else await applyAllDeltas(db);
  order.progress.finish();
  await client.query('reset synchronous_commit');
  await log('importFinish', { people, posts });
  return { people, posts };
}

const noTally = (): Tally => ({ added: 0, present: 0, refused: 0, overdue: 0 });

async function importFile(client: Client, kind: Kind, file: string, order: Order): Promise<Tally> {
  const { statement, table } = KINDS[kind];
  const tally = noTally();
  const refuse = (refusals: readonly Refusal[]) => {
    if (refusals.length > 0) order.onRefused(refusals);
    tally.refused += refusals.length;
  };
  let bytes = 0;
  const { size } = await stat(file);
  order.progress.step(`${kind}, kB`, Math.ceil(size / 1000));
  for await (const { sound, refused, length } of ahead(batchesOf(file, kind))) {
    refuse(refused);
    if (sound.length > 0) {
      const texts = sound.map(({ text }) => text);
      const outcomes = await importBatch(client, statement, texts, order.isDryRun);
      for (const { isAdded, finding, isOverdue } of outcomes) {
        if (isAdded) tally.added += 1;
        if (isAdded && isOverdue) tally.overdue += 1;
        if (finding === 'present') tally.present += 1;
      }
      refuse(
        outcomes.flatMap(({ n, isAdded, finding }) =>
          isAdded || finding === 'present'
            ? []
            : [{ file, line: sound[n - 1]?.number ?? 0, reason: finding ?? ADDED_MEANWHILE }],
        ),
      );
    }
    bytes += length;
    order.progress.advance(Math.min(Math.floor(bytes / 1000), Math.ceil(size / 1000)));
  }
  // The foreign key of the posts and the lists of the console are planned by these statistics.
  if (!order.isDryRun) await client.query(`vacuum (analyze) ${table}`);
  return tally;
}

const ADDED_MEANWHILE = 'Another writer added the same at this moment; import it again';

type Batch = { sound: { number: number; text: string }[]; refused: Refusal[]; length: number };

async function* batchesOf(file: string, kind: Kind): AsyncGenerator<Batch> {
  const { schema } = KINDS[kind];
  let batch: Batch = { sound: [], refused: [], length: 0 };
  for await (const { number, text, fault, bytes } of readLines(file)) {
    const reason = text === null ? fault : faultOf(schema, text);
    if (reason !== null) batch.refused.push({ file, line: number, reason });
    else if (text !== null) {
      batch.sound.push({ number, text: kind === 'posts' ? await withFacets(text) : text });
    }
    batch.length += bytes;
    const lines = batch.sound.length + batch.refused.length;
    if (lines < BATCH_LINES && batch.length < BATCH_BYTES) continue;
    yield batch;
    batch = { sound: [], refused: [], length: 0 };
  }
  if (batch.length > 0) yield batch;
}

/** A COMPLETED post stays as it was published; only the network knows whose handle a mention names. */
async function withFacets(line: string): Promise<string> {
  // The schema has checked the line.
  const post = JSON.parse(line) as z.output<typeof importedPost>;
  if (post.status === 'COMPLETED') return line;
  let isChanged = false;
  for (const part of [post, ...(post.thread ?? [])]) {
    if (typeof part.content !== 'string' || part.facets !== undefined) continue;
    const facets = await detectFacets(part.content, () => Promise.resolve(null));
    if (facets.length === 0) continue;
    Object.assign(part, { facets });
    isChanged = true;
  }
  if (!isChanged) return line;
  const { facets, thread } = post;
  // The facets come last: of two values under one name the database takes the last.
  return `${line.trimEnd().slice(0, -1)},${JSON.stringify({ facets, thread }).slice(1)}`;
}

async function* ahead<T>(batches: AsyncGenerator<T, void>): AsyncGenerator<T> {
  let next = batches.next();
  for (;;) {
    const { done, value } = await next;
    if (done === true) return;
    next = batches.next();
    // The await above throws the error; until then it must not count as unhandled.
    next.catch(() => {});
    yield value;
  }
}

const USAGE = `Adds people and posts from files of JSON lines; docs/import.md has the format. Nothing that is there is
changed. An empty database gets its tables first. After an interruption, give the same command again:
lines that are there already are passed over.

  npm run import -- people.ndjson posts.ndjson

  --dry-run            do everything in one transaction and roll it back
  --report FILE        where each refused line goes with its reason; default import-refused.ndjson
${DATABASE_USAGE}
Ends with code 0 when every line is in the database, 3 when some were refused, 1 when it could not be
done and 2 when the command line is wrong.
`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  report: { type: 'string', default: 'import-refused.ndjson' },
  ...DATABASE_OPTIONS,
} as const;

const TOOL = {
  name: 'import',
  untouched: 'What was imported before stays; the same command continues.',
};
const SOME_REFUSED = 3;

await runTool(TOOL, async () => {
  const config = { args: process.argv.slice(2), options: OPTIONS, allowPositionals: true } as const;
  const { values, positionals } = splitArguments(config, USAGE);
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

/** The report is made anew, so it must not be a file that is still to be read. */
async function requireFile(file: string, report: string): Promise<void> {
  const [found, old] = [await statOf(file), await statOf(report)];
  if (found?.isDirectory() !== false) throw new ArgumentError(`There is no file ${file}.`);
  if (found.ino === old?.ino && found.dev === old.dev) {
    throw new ArgumentError(`--report must not be ${file}, which is to be imported.`);
  }
}

async function requireFolderOf(report: string): Promise<void> {
  const folder = dirname(report);
  if ((await statOf(folder))?.isDirectory() !== true) {
    throw new ArgumentError(`There is no folder ${folder} for the report.`);
  }
  if ((await statOf(report))?.isDirectory() === true) {
    throw new ArgumentError(`--report must be a file, and ${report} is a folder.`);
  }
}

function statOf(path: string) {
  return stat(path).catch(() => null);
}

type Run = Pick<Order, 'people' | 'posts' | 'isDryRun'> & { report: string };

async function run(connection: ClientConfig, { report, ...order }: Run): Promise<void> {
  await prepareSchema(connection);
  const onRefused = (refusals: readonly Refusal[]) => {
    const lines = refusals.map((refusal) => `${JSON.stringify(refusal)}\n`);
    appendFileSync(report, lines.join(''), { mode: 0o600 });
  };
  const { people, posts } = await withClient(connection, (client) =>
    importFiles(client, { ...order, progress: createProgress(process.stderr), onRefused }),
  );
  say(`People: ${described(people)}`);
  say(`Posts: ${described(posts)}`);
  if (posts.overdue > 0) {
    say(
      `${shown(posts.overdue)} of them are PENDING and their time has passed: the engine publishes those within ENGINE_LATE_LIMIT_MINUTES and fails the others as too late.`,
    );
  }
  if (order.isDryRun) say('This was a dry run: nothing was kept.');
  const refused = people.refused + posts.refused;
  if (refused === 0) return;
  say(`${shown(refused)} lines were refused; ${report} has each with its reason.`);
  process.exitCode = SOME_REFUSED;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

function described({ added, present, refused }: Tally): string {
  return `${shown(added)} added, ${shown(present)} already there, ${shown(refused)} refused.`;
}
