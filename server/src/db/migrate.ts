import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, ClientConfig } from 'pg';
import { StartError } from '../start-error.ts';
import { connectError, refusedDatabase } from './connect-error.ts';
import {
  databaseProblem,
  migrationProblem,
  readDatabaseFacts,
  writeProblem,
} from './database-facts.ts';
import type { DatabaseFacts } from './database-facts.ts';
import {
  KEEP_ALIVE,
  liftTimeLimits,
  newClient,
  openJobPool,
  requireOwnSession,
} from './database.ts';
import { isServerError } from './errors.ts';
import { LOCKS } from './sql.ts';

type MigrateOptions = {
  log?: (line: string) => void;
  mustBeWritable?: boolean;
};

type File = { name: string; checksum: string; text: string };
type Migration = File & { version: number };
type Applied = { version: number; name: string; checksum: string };
/** Each step is one transaction. */
type Step = { name: string; says?: string; run: (client: Client) => Promise<unknown> };

const MIGRATIONS = new URL('./migrations/', import.meta.url);
const FUNCTIONS = new URL('./functions/', import.meta.url);
const MIGRATION_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;
/** The series of the versions before 0.2.0 ended with this migration. */
const LAST_OLD = 41;
const FIRST = 101;
/** The bridge leads from the last old migration to this one. */
const BRIDGED = 110;
const BRIDGE = new URL('./bridge-from-0041.sql', import.meta.url);

/** Statements on a table wait behind a migration; those of a running process give up after three seconds. */
const LOCK_TIMEOUT_MS = 2_000;
const PAUSE_MS = 3_000;
const LOCK_SILENCE_MS = 3_000;
const LOCK_POLL_MS = 100;
const IN_USE = new Set(['55P03', '40P01']);

/** Several processes may call this at once. */
export async function migrate(
  connection: ClientConfig,
  options: MigrateOptions = {},
): Promise<{ applied: number; version: number }> {
  const files = await readFiles();
  const client = newClient({ connectionTimeoutMillis: 5_000, ...KEEP_ALIVE, ...connection });
  try {
    await client.connect();
    await requireOwnSession(client, connection);
    await liftTimeLimits(client);
    await waitForLock(client, options);
    // The facts are read under the lock: another process would be seen with half of its first migration done.
    const facts = await readDatabaseFacts(client);
    refuse(client, databaseProblem(facts));
    if (options.mustBeWritable === true) refuse(client, writeProblem(facts));
    const steps = missingSteps(files, await readState(client, facts));
    const hasWork = steps.length > 0 || !facts.hasJobSchema;
    if (hasWork) refuse(client, writeProblem(facts) ?? migrationProblem(facts));
    for (const step of steps) {
      if (step.says !== undefined) options.log?.(step.says);
      await untilUnused(() => apply(client, step), step.name, options);
    }
    if (hasWork) {
      const impatient = { ...connection, lock_timeout: LOCK_TIMEOUT_MS };
      await untilUnused(() => createJobSchema(impatient), 'The schema of the job queue', options);
    }
    return { applied: steps.length, version: latest(files) };
  } catch (error) {
    throw connectError(client, error);
  } finally {
    // The end releases the lock too.
    await client.end();
  }
}

/** An orphaned session of a start may hold the lock, and the operator has to hear of it. */
async function waitForLock(client: Client, { log }: MigrateOptions): Promise<void> {
  const startedAt = performance.now();
  for (let hasSaid = false; ; await delay(LOCK_POLL_MS)) {
    const { rows } = await client.query<{ isOurs: boolean }>(
      'select pg_try_advisory_lock($1) as "isOurs"',
      [LOCKS.migrate],
    );
    if (rows[0]?.isOurs === true) return;
    if (hasSaid || performance.now() - startedAt < LOCK_SILENCE_MS) continue;
    hasSaid = true;
    log?.(`Another start holds the lock of the migrations: ${await lockHolder(client)}.`);
  }
}

async function lockHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ holder: string }>(
    `select format('process %s of the database, from %s, connected since %s', a.pid,
       coalesce(host(a.client_addr), 'the same machine'), to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')) as holder
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1 and l.objsubid = 1
       and l.database = (select oid from pg_database where datname = current_database())`,
    [LOCKS.migrate],
  );
  return rows[0]?.holder ?? 'it has just ended';
}

type Files = { migrations: Migration[]; functions: File[]; bridge: string };

const latest = ({ migrations }: Files) => FIRST + migrations.length - 1;

export async function latestVersion(): Promise<number> {
  return latest(await readFiles());
}

async function readFiles(): Promise<Files> {
  const [migrations, functions] = await Promise.all([
    readFolder(MIGRATIONS),
    readFolder(FUNCTIONS),
  ]);
  return {
    migrations: migrations.map(({ name: file, text, checksum }, index) => {
      const [, number, name] = MIGRATION_NAME.exec(file) ?? [];
      const version = FIRST + index;
      if (name === undefined || Number(number) !== version) {
        throw new Error(`Migration ${file} is not number ${version} of the series`);
      }
      return { name, version, text, checksum };
    }),
    functions,
    bridge: await readFile(BRIDGE, 'utf8'),
  };
}

async function readFolder(folder: URL): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have other line ends.
      const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function refuse(client: Client, problem: string | null): void {
  if (problem !== null) throw refusedDatabase(client, problem);
}

type State = { migrations: Applied[]; functions: ReadonlyMap<string, string> };

async function readState(client: Client, facts: DatabaseFacts): Promise<State> {
  if (facts.migrations === 'absent') return { migrations: [], functions: new Map() };
  const { rows: migrations } = await client.query<Applied>(
    'select version, name, checksum from schema_migrations',
  );
  const isOld = migrations.every(({ version }) => version < FIRST);
  const { rows: functions } = isOld
    ? { rows: [] }
    : await client.query<File>('select name, checksum from schema_functions');
  return { migrations, functions: new Map(functions.map((row) => [row.name, row.checksum])) };
}

export async function isBehind(client: Client, facts: DatabaseFacts): Promise<boolean> {
  return missingSteps(await readFiles(), await readState(client, facts)).length > 0;
}

function missingSteps(files: Files, { migrations: applied, functions }: State): Step[] {
  const newest = Math.max(0, ...applied.map(({ version }) => version));
  if (newest > latest(files)) {
    throw new StartError(
      'The database schema is newer than this version of Meridian. Update Meridian, or restore a backup made with this version.',
    );
  }
  if (newest > 0 && newest < LAST_OLD) {
    throw new StartError(
      'This database was made by a version of Meridian that is too old to be brought over at once. Start the last version before 0.2.0 on it once, then this one.',
    );
  }
  if (newest === LAST_OLD) return [bridgeStep(files)];
  const checksums = new Map(applied.map((row) => [row.version, row.checksum]));
  const missing = files.migrations.filter(({ version, name, checksum }) => {
    const known = checksums.get(version);
    if (known !== undefined && known !== checksum) {
      throw new StartError(
        `Migration ${version} (${name}) differs from the one this database was made with. Use the unchanged file.`,
      );
    }
    return known === undefined;
  });
  const changed = files.functions.filter(({ name, checksum }) => functions.get(name) !== checksum);
  const steps: Step[] = missing.map((migration) => ({
    name: `Migration ${migration.version}`,
    says: `Migration ${migration.version}: ${migration.name}`,
    run: (client) => applyMigration(client, migration),
  }));
  const run = (client: Client) => replaceFunctions(client, changed);
  return changed.length === 0 ? steps : [...steps, { name: 'A change of functions', run }];
}

/** One transaction lets no writer meet a table without its triggers. */
function bridgeStep({ migrations, functions, bridge }: Files): Step {
  return {
    name: 'The bridge to the schema of this version',
    says: 'The database of an earlier version is brought over to this one.',
    async run(client) {
      await client.query(bridge);
      for (const migration of migrations) {
        if (migration.version > BRIDGED) await client.query(migration.text);
        await record(client, migration);
      }
      await replaceFunctions(client, functions);
    },
  };
}

async function applyMigration(client: Client, migration: Migration): Promise<void> {
  // The table is made in the transaction of the first migration, so that a failure leaves nothing behind.
  await client.query(`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now());
    create table if not exists schema_functions (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now())`);
  await client.query(migration.text);
  await record(client, migration);
}

async function record(client: Client, { version, name, checksum }: Migration): Promise<void> {
  await client.query(
    'insert into schema_migrations (version, name, checksum) values ($1, $2, $3)',
    [version, name, checksum],
  );
}

/** Functions look for names in this schema, whatever a session's search path; no other role may call them. */
async function replaceFunctions(client: Client, files: readonly File[]): Promise<void> {
  await client.query(`
    set local check_function_bodies = off;
    select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`);
  for (const { name, checksum, text } of files) {
    await client.query(text);
    await client.query(
      `insert into schema_functions (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
      [name, checksum],
    );
  }
  await client.query(`
    do $$ declare f regprocedure; begin
      for f in select p.oid from pg_proc p
        where pronamespace = current_schema()::regnamespace and pg_has_role(proowner, 'usage')
          and not exists (select from pg_depend d
                          where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e') loop
        execute format('revoke execute on routine %s from public', f);
      end loop;
    end $$`);
}

async function untilUnused(
  step: () => Promise<void>,
  name: string,
  { log }: MigrateOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await step();
      return;
    } catch (error) {
      if (!isServerError(error) || !IN_USE.has(error.code ?? '')) throw error;
    }
    if (attempt === 1) log?.(`${name} waits for another connection that uses its tables.`);
    await delay(PAUSE_MS);
  }
}

async function apply(client: Client, step: Step): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await step.run(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** The caller holds the migration lock. Later versions of the library migrate when the runner starts. */
async function createJobSchema(connection: ClientConfig): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  const pgPool = openJobPool(connection, 1, () => {});
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => {}) });
  } finally {
    await pgPool.end();
  }
}
