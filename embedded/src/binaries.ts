import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedDatabaseError, errorCode } from './errors.ts';
import { clusterFolders, SYSTEM_FOLDER } from './folders.ts';
import type { DatabaseHome } from './folders.ts';
import { copyPackage, healLinks, locatePackage } from './packaged-binaries.ts';
import { credentials } from './run-as.ts';
import type { RunAs } from './run-as.ts';

const run = promisify(execFile);
const MACHINE_FOLDER = '/usr/lib/postgresql';
const OLDEST_MAJOR = 15;

export type Binaries = { postgres: string; initdb: string; major: number };

/** The packaged PostgreSQL, else the machine's own: the first that can open the existing database. */
export async function findBinaries(home: DatabaseHome): Promise<Binaries> {
  const [existing] = await clusterFolders(home.folder);
  const wanted =
    existing === undefined ? undefined : Number(basename(existing).slice('data'.length));

  const tried: Binaries[] = [];
  for await (const candidate of candidates(home)) {
    if (wanted === undefined || candidate.major === wanted) return candidate;
    tried.push(candidate);
  }
  if (wanted === undefined || tried.length === 0) {
    throw new EmbeddedDatabaseError(
      'no-binaries',
      `No PostgreSQL that runs on this machine (${process.platform}-${process.arch}) was found; set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  throw new EmbeddedDatabaseError(
    'wrong-version',
    `The database in ${home.folder} was made by PostgreSQL ${wanted}, but only ${tried.map((one) => one.major).join(' and ')} can be run here.`,
  );
}

/** PostgreSQL installations of the machine itself, the newest first. */
export async function findMachineBinaries(runAs: RunAs): Promise<Binaries[]> {
  const names = await readdir(MACHINE_FOLDER).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const folders = names
    .filter((name) => Number(name) >= OLDEST_MAJOR)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((name) => join(MACHINE_FOLDER, name, 'bin'));
  const found = await Promise.all(folders.map((folder) => probe(folder, runAs)));
  return found.filter((one) => one !== undefined);
}

async function* candidates(home: DatabaseHome): AsyncGenerator<Binaries> {
  const packaged = await packagedBinaries(home);
  if (packaged !== undefined) yield packaged;
  yield* await findMachineBinaries(home.runAs);
}

async function packagedBinaries({ folder, runAs }: DatabaseHome): Promise<Binaries | undefined> {
  const source = locatePackage();
  if (source === undefined) return undefined;
  const isWhole = await healLinks(source.native);
  const bin = join(source.native, 'bin');
  const inPlace = isWhole ? await probe(bin, runAs) : undefined;
  if (inPlace !== undefined) return inPlace;
  // A copy helps only when access is denied, not when the system cannot run the binary at all.
  const isClosed = !isWhole || (runAs !== undefined && (await probe(bin, undefined)) !== undefined);
  if (!isClosed) return undefined;
  const copy = await copyPackage(source, runAs === undefined ? folder : SYSTEM_FOLDER);
  return probe(join(copy, 'native', 'bin'), runAs);
}

/** Runs it once under its later account: detects a missing loader or a folder without access. */
async function probe(bin: string, runAs: RunAs): Promise<Binaries | undefined> {
  const postgres = join(bin, 'postgres');
  try {
    const { stdout } = await run(postgres, ['-V'], { ...credentials(runAs), cwd: '/' });
    const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    if (!Number.isInteger(major)) return undefined;
    return { postgres, initdb: join(bin, 'initdb'), major };
  } catch {
    // A binary that cannot print its version cannot serve either.
    return undefined;
  }
}
