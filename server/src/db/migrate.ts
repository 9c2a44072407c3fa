import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { createJobSchema } from '../jobs/job-schema.ts';
import { StartError } from '../start-error.ts';
import { connectError, refusedDatabase } from './connect-error.ts';
import {
  databaseProblem,
  migrationProblem,
  readDatabaseFacts,
  writeProblem,
} from './database-facts.ts';
import type { DatabaseFacts } from './database-facts.ts';
import { isServerError } from './errors.ts';
import { LOCKS } from './lock-keys.ts';
import { KEEP_ALIVE, requireOwnSession } from './session.ts';
import { liftTimeLimits } from './time-limits.ts';

export type MigrateOptions = {
  log?: (line: string) => void;
  /** The caller goes on to write: a database that can only be read is refused, migrated or not. */
  mustBeWritable?: boolean;
};
export type MigrateResult = { applied: number; version: number };

type Migration = { version: number; name: string; checksum: string; text: string };
type AppliedRow = { version: number; name: string; checksum: string };

const DIRECTORY = new URL('./migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/**
 * While a migration waits for a table, so do all statements that come to it later. Those of a process that
 * goes on meanwhile wait for three seconds; a dump that reads the table may take an hour.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** Long enough for everything that waited to be done. */
const PAUSE_MS = 3_000;
/** A start beside another one waits for less. */
const LOCK_SILENCE_MS = 3_000;
const LOCK_POLL_MS = 100;
const IN_USE = new Set(['55P03', '40P01']);

/** Brings the schema up to this version of the code. Several processes may call it at once. */
export async function migrate(
  connection: ClientConfig,
  options: MigrateOptions = {},
): Promise<MigrateResult> {
  const migrations = await readMigrations();
  const client = new Client({ connectionTimeoutMillis: 5_000, ...KEEP_ALIVE, ...connection });
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await requireOwnSession(client, connection);
    await liftTimeLimits(client);
    await waitForLock(client, options);
    // Under the lock: another process would be seen with half of its first migration done.
    const facts = await readDatabaseFacts(client);
    refuse(client, databaseProblem(facts));
    if (options.mustBeWritable === true) refuse(client, writeProblem(facts));
    const missing = missingOf(migrations, await readApplied(client, facts));
    const isBehind = missing.length > 0 || !facts.hasJobSchema;
    if (isBehind) refuse(client, writeProblem(facts) ?? migrationProblem(facts));
    for (const migration of missing) {
      options.log?.(`Migration ${migration.version}: ${migration.name}`);
      const name = `Migration ${migration.version}`;
      await untilUnused(() => apply(client, migration), name, options);
    }
    if (isBehind) {
      const impatient = { ...connection, lock_timeout: LOCK_TIMEOUT_MS };
      await untilUnused(() => createJobSchema(impatient), 'The schema of the job queue', options);
    }
    return { applied: missing.length, version: migrations.length };
  } catch (error) {
    throw connectError(client, error);
  } finally {
    // Ends the lock too.
    await client.end();
  }
}

/** Held by one process that starts, or by an orphaned session of it, of which the operator has to hear. */
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

/** The newest version this code knows. */
export async function latestVersion(): Promise<number> {
  return (await readMigrations()).at(-1)?.version ?? 0;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (file, index) => {
      const [, number, name] = FILE_NAME.exec(file) ?? [];
      if (name === undefined || Number(number) !== index + 1) {
        throw new Error(`Migration ${file} is not number ${index + 1} of the series`);
      }
      // A checkout with other line ends is still the same migration.
      const text = (await readFile(new URL(file, DIRECTORY), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: index + 1, name, checksum, text };
    }),
  );
}

function refuse(client: Client, problem: string | null): void {
  if (problem !== null) throw refusedDatabase(client, problem);
}

/** What this code has and the database lacks; throws when the database has what this code does not. */
function missingOf(migrations: Migration[], applied: AppliedRow[]): Migration[] {
  refuseUnreleased(applied);
  if (applied.some((row) => row.version > migrations.length)) {
    throw new StartError(
      'The database schema is newer than this version of Meridian. Update Meridian, or restore a backup made with this version.',
    );
  }
  const checksums = new Map(applied.map((row) => [row.version, row.checksum]));
  return migrations.filter((migration) => {
    const checksum = checksums.get(migration.version);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new StartError(
        `Migration ${migration.version} (${migration.name}) differs from the one this database was made with. Use the unchanged file.`,
      );
    }
    return checksum === undefined;
  });
}

/** The migrations before the first release were rewritten; their first one had another name. */
function refuseUnreleased(applied: AppliedRow[]): void {
  if (!applied.some(({ version, name }) => version === 1 && name === 'initial-schema')) return;
  throw new StartError(
    'This database was made by a version of Meridian from before its first release, which cannot be migrated. Use an empty database.',
  );
}

/** How many migrations the database lacks; throws when it has what this code does not. Only reads. */
export async function countMissing(client: Client, facts: DatabaseFacts): Promise<number> {
  return missingOf(await readMigrations(), await readApplied(client, facts)).length;
}

async function readApplied(client: Client, facts: DatabaseFacts): Promise<AppliedRow[]> {
  if (facts.migrations === 'absent') return [];
  const { rows } = await client.query<AppliedRow>(
    'select version, name, checksum from schema_migrations',
  );
  return rows;
}

/** Until no other connection has a lock on its tables. */
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

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // With the first migration, so that one that fails leaves nothing behind.
    await client.query(`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    await client.query(migration.text);
    await client.query(
      'insert into schema_migrations (version, name, checksum) values ($1, $2, $3)',
      [migration.version, migration.name, migration.checksum],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
