import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { EmbeddedDatabaseError, errorCode, plainReason } from './errors.ts';
import { syncFolder } from './folders.ts';
import type { DatabaseHome } from './folders.ts';
import { credentials, makePrivate } from './run-as.ts';

const run = promisify(execFile);

/** Another PostgreSQL has the folder. */
export const IN_USE = /lock file|still in use/;
const COMPLAINT = /^.*?(?:error|ERROR|FATAL|PANIC): +/m;

/** Made by initdb. Nothing of Meridian connects as this role. */
export const SUPERUSER = 'app';
/** The application's role, which owns the database and can do nothing outside of it. */
export const DATABASE_USER = 'meridian';
export const DATABASE = 'meridian';

/**
 * Gives the database of an earlier version, which belonged to the superuser, to the application's role. What
 * belongs to an extension stays.
 */
const GIVE = `do $$ declare it record; begin
  if not exists (select from pg_roles where rolname = '${DATABASE_USER}') then create role ${DATABASE_USER} login; end if;
  alter database ${DATABASE} owner to ${DATABASE_USER};
  for it in
    with ours as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
    select 'schema' as kind, quote_ident(nspname) as name from ours
    union all
    select 'table', c.oid::regclass::text from pg_class c join ours on ours.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'S') and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'e', 'i'))
    union all
    select 'routine', p.oid::regprocedure::text from pg_proc p join ours on ours.oid = pronamespace
      where not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    union all
    select 'type', t.oid::regtype::text from pg_type t join ours on ours.oid = typnamespace
      where (typtype in ('d', 'e') or typtype = 'c' and (select relkind from pg_class where pg_class.oid = typrelid) = 'c')
        and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = t.oid and deptype = 'e')
  loop execute format('alter %s %s owner to ${DATABASE_USER}', it.kind, it.name); end loop;
end $$`;

/** The data folder of this PostgreSQL, made on the first start with an empty database in it. */
export async function ensureCluster(home: DatabaseHome, binaries: Binaries): Promise<string> {
  const dataFolder = join(home.folder, `data${binaries.major}`);
  if (existsSync(join(dataFolder, 'PG_VERSION'))) return dataFolder;
  // Created under another name and renamed when complete: a partial cluster is never used.
  const draft = await mkdtemp(`${dataFolder}.init-`);
  try {
    await initialise(draft, home, binaries, ['--auth-local=trust', '--auth-host=scram-sha-256']);
    await runAlone(draft, 'postgres', home, binaries, `create database ${DATABASE}`);
    await rename(draft, dataFolder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const code = errorCode(error);
    const isCreatedElsewhere = code === 'ENOTEMPTY' || code === 'EEXIST';
    if (!isCreatedElsewhere) throw error;
  }
  await syncFolder(home.folder);
  await syncFolder(dirname(home.folder));
  return dataFolder;
}

/** Once in the life of a data folder, unless another PostgreSQL serves it at this moment. */
export async function giveDatabase(
  dataFolder: string,
  home: DatabaseHome,
  binaries: Binaries,
): Promise<void> {
  const marker = `${dataFolder}.owned`;
  if (existsSync(marker)) return;
  const isDone = await runAlone(dataFolder, DATABASE, home, binaries, GIVE);
  if (isDone) await writeFile(marker, '');
}

/** One statement, by a PostgreSQL that serves nobody else; false when one serves the folder. */
async function runAlone(
  dataFolder: string,
  database: string,
  home: DatabaseHome,
  binaries: Binaries,
  statement: string,
): Promise<boolean> {
  const args = ['--single', '-D', dataFolder, database];
  const running = run(binaries.postgres, args, optionsIn(home));
  // It reads a statement by the line.
  running.child.stdin?.end(`${statement.replaceAll('\n', ' ')}\n`);
  const { stderr } = await running.catch((error: { stderr: string }) => error);
  if (IN_USE.test(stderr)) return false;
  // It ends well whatever became of the statement.
  if (COMPLAINT.test(stderr)) throw notCreated(home, Object.assign(new Error(stderr), { stderr }));
  return true;
}

/** Runs initdb, which syncs what it wrote. Trust on the socket is safe: its folder is closed to others. */
export async function initialise(
  folder: string,
  home: DatabaseHome,
  binaries: Binaries,
  extra: string[],
): Promise<void> {
  await makePrivate(folder, home.runAs);
  // The builtin provider sorts the same everywhere; PostgreSQL has it since 17.
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const locale = [...(binaries.major >= 17 ? builtin : []), '--locale=C.UTF-8'];
  const fixed = ['-D', folder, '-U', SUPERUSER, '--encoding=UTF8', '--no-instructions'];
  try {
    await run(binaries.initdb, [...fixed, ...locale, ...extra], optionsIn(home));
  } catch (error) {
    throw notCreated(home, error);
  }
}

function notCreated({ folder }: DatabaseHome, cause: unknown): EmbeddedDatabaseError {
  const sentence = `The database could not be created in ${folder}: ${complaintOf(cause)}.`;
  return new EmbeddedDatabaseError('failed', sentence, { cause });
}

/**
 * PostgreSQL sees nothing of our environment: English messages (they are matched), UTC, and no PG*
 * variable that would change where or how it starts.
 */
export function optionsIn({ folder, runAs }: DatabaseHome) {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' };
  return { ...credentials(runAs), env: { ...env, TZ: 'UTC' }, cwd: '/' };
}

/** The last complaint in what a program of PostgreSQL wrote: initdb ends by saying that it tidies up. */
export function complaintOf(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = output.trim().split('\n');
  const line =
    lines.findLast((text) => COMPLAINT.test(text)) ?? (lines.at(-1) || plainReason(error));
  return line
    .replace(COMPLAINT, '')
    .replace(/^initdb: /, '')
    .replace(/\.$/, '');
}
