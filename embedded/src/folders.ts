import { access, constants, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { EmbeddedDatabaseError, errorCode, plainReason } from './errors.ts';
import { canWorkIn, chooseRunAs, makePrivate } from './run-as.ts';
import type { RunAs } from './run-as.ts';
import { syncFolder } from './sync-folder.ts';

/** Where root keeps what the unprivileged database user must be able to reach. */
export const SYSTEM_FOLDER = '/var/lib/meridian';

export type DatabaseHome = { folder: string; runAs: RunAs };

/** Makes `<dataDir>/postgres` ready to hold a cluster, or the folder that replaces it. */
export async function prepareHome(
  dataDir: string,
  onNotice: (message: string) => void,
): Promise<DatabaseHome> {
  const folder = join(dataDir, 'postgres');
  try {
    // Other accounts may traverse the data folder but not list it.
    await makeFolder(dataDir, 0o711);
    await makeFolder(folder, 0o700);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(folder, error);
  }

  const moved = await readLocation(folder);
  const runAs = await chooseRunAs(await clusterFolders(moved ?? folder));
  if (runAs === undefined) return { folder: moved ?? folder, runAs };
  if (moved === undefined) {
    await handOver(folder, runAs);
    if (await canWorkIn(folder, runAs)) return { folder, runAs };
  }

  const elsewhere = moved ?? (await moveAway(folder));
  await handOver(elsewhere, runAs);
  onNotice(
    `The database runs as ${runAs.name}, who cannot reach ${folder}, so it is kept in ${elsewhere}.`,
  );
  return { folder: elsewhere, runAs };
}

/** Whether a database was ever made there. Makes nothing. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const folder = join(dataDir, 'postgres');
  const clusters = await clusterFolders((await readLocation(folder)) ?? folder);
  return clusters.length > 0;
}

/** Every `data<major>` folder, the newest PostgreSQL first. */
export async function clusterFolders(home: string): Promise<string[]> {
  const names = await readdir(home).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw notWritable(home, error);
  });
  return names
    .flatMap((name) => /^data(\d+)$/.exec(name)?.[1] ?? [])
    .toSorted((a, b) => Number(b) - Number(a))
    .map((major) => join(home, `data${major}`));
}

// The location is stored inside the data folder rather than derived from its path: an operator who
// deletes the data folder must start with an empty database.
function locationFile(folder: string): string {
  return join(folder, 'location');
}

async function readLocation(folder: string): Promise<string | undefined> {
  try {
    const location = (await readFile(locationFile(folder), 'utf8')).trim();
    // The database's account can write here. It must not make root hand over a folder of its choice.
    return dirname(location) === SYSTEM_FOLDER ? location : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw notWritable(folder, error);
  }
}

async function moveAway(folder: string): Promise<string> {
  try {
    await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
    const elsewhere = await mkdtemp(join(SYSTEM_FOLDER, 'db-'));
    await writeFile(locationFile(folder), `${elsewhere}\n`, { flag: 'wx', flush: true });
    await syncFolder(folder);
    return elsewhere;
  } catch (error) {
    // Another start has written its location first: use that one.
    const winner = errorCode(error) === 'EEXIST' ? await readLocation(folder) : undefined;
    if (winner !== undefined) return winner;
    throw notWritable(SYSTEM_FOLDER, error);
  }
}

async function handOver(folder: string, runAs: RunAs): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makePrivate(folder, runAs);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

function notWritable(folder: string, cause: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    'not-writable',
    `The database folder ${folder} cannot be written: ${plainReason(cause)}.`,
    { cause },
  );
}
