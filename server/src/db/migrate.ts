import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { StartError } from '../start-error.ts';
import { connectError } from './connect-error.ts';
import { LOCKS } from './lock-keys.ts';

export type MigrateOptions = { log?: (line: string) => void };
export type MigrateResult = { applied: number; version: number };

type Migration = { version: number; name: string; checksum: string; text: string };
type AppliedRow = { version: number; checksum: string };

const DIRECTORY = new URL('./migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;
const MIN_SERVER_VERSION = 15;

/** Brings the schema up to this version of the code. Several processes may call it at once. */
export async function migrate(
  connection: ClientConfig,
  options: MigrateOptions = {},
): Promise<MigrateResult> {
  const migrations = await readMigrations();
  const client = new Client({ connectionTimeoutMillis: 5_000, ...connection });
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await requireServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCKS.migrate]);
    return await applyMissing(client, migrations, options);
  } catch (error) {
    throw connectError(client, error);
  } finally {
    // Ends the lock too.
    await client.end();
  }
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

async function requireServerVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) < MIN_SERVER_VERSION) {
    throw new StartError(
      `Meridian needs PostgreSQL ${MIN_SERVER_VERSION} or newer; this server is ${version}.`,
    );
  }
}

async function applyMissing(
  client: Client,
  migrations: Migration[],
  options: MigrateOptions,
): Promise<MigrateResult> {
  const applied = await readApplied(client);
  const version = migrations.length;
  if (applied.some((row) => row.version > version)) {
    throw new StartError(
      'The database schema is newer than this version of Meridian. Update Meridian, or restore a backup made with this version.',
    );
  }
  const checksums = new Map(applied.map((row) => [row.version, row.checksum]));
  const missing = migrations.filter((migration) => {
    const checksum = checksums.get(migration.version);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new StartError(
        `Migration ${migration.version} (${migration.name}) differs from the one this database was made with. Use the unchanged file.`,
      );
    }
    return checksum === undefined;
  });
  for (const migration of missing) {
    options.log?.(`Migration ${migration.version}: ${migration.name}`);
    await apply(client, migration);
  }
  return { applied: missing.length, version };
}

async function readApplied(client: Client): Promise<AppliedRow[]> {
  const table = await client.query<{ found: boolean }>(
    "select to_regclass('schema_migrations') is not null as found",
  );
  if (table.rows[0]?.found !== true) {
    await client.query(`
      create table schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
  }
  const { rows } = await client.query<AppliedRow>(
    'select version, checksum from schema_migrations',
  );
  return rows;
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
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
