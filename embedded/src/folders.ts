import { createHash } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, open, readdir } from 'node:fs/promises';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedDatabaseError, errorCode, plainReason } from './errors.ts';
import { makeFolder } from './make-folder.ts';
import { canWorkIn, chooseRunAs, makePrivate } from './run-as.ts';
import type { RunAs } from './run-as.ts';

/** Root keeps here what the unprivileged database user must be able to reach. */
export const SYSTEM_FOLDER = '/var/lib/meridian';

export const SOCKET_PORT = 5432;
// sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included.
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

export type DatabaseHome = { folder: string; runAs: RunAs };

/** Makes `<dataDir>/postgres` ready to hold a cluster, or the folder that replaces it. */
export async function prepareHome(
  dataDir: string,
  onNotice: (message: string) => void,
): Promise<DatabaseHome> {
  const folder = join(dataDir, 'postgres');
  return orRefuse(folder, async () => {
    // Other accounts may traverse the data folder but not list it.
    await makeFolder(dataDir, 0o711);
    await makeFolder(folder, 0o700);
    await access(folder, constants.W_OK | constants.X_OK);
    const moved = await readLocation(folder);
    const runAs = await chooseRunAs(await clusterFolders(moved ?? folder));
    if (runAs === undefined) return { folder: moved ?? folder, runAs };
    if (moved === undefined) {
      await makePrivate(folder, runAs);
      if (await canWorkIn(folder, runAs)) return { folder, runAs };
    }
    const elsewhere = moved ?? (await orRefuse(SYSTEM_FOLDER, () => moveAway(folder)));
    await makePrivate(elsewhere, runAs);
    onNotice(
      `The database runs as ${runAs.name}, who cannot reach ${folder}, so it is kept in ${elsewhere}.`,
    );
    return { folder: elsewhere, runAs };
  });
}

/** Tells if a database was ever made there. Makes nothing. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const folder = join(dataDir, 'postgres');
  return orRefuse(folder, async () => {
    const clusters = await clusterFolders((await readLocation(folder)) ?? folder);
    return clusters.length > 0;
  });
}

export async function clusterFolders(home: string): Promise<string[]> {
  const names = (await ifThere(readdir(home))) ?? [];
  return names
    .flatMap((name) => /^data(\d+)$/.exec(name)?.[1] ?? [])
    .toSorted((a, b) => Number(b) - Number(a))
    .map((major) => join(home, `data${major}`));
}

// The location is stored inside the data folder rather than derived from its path: an operator who
// deletes the data folder must start with an empty database.
async function moveAway(folder: string): Promise<string> {
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const elsewhere = await mkdtemp(join(SYSTEM_FOLDER, 'db-'));
  try {
    await writeFile(join(folder, 'location'), `${elsewhere}\n`, { flag: 'wx', flush: true });
  } catch (error) {
    // Another start has written its location first: use that one.
    const winner = errorCode(error) === 'EEXIST' ? await readLocation(folder) : undefined;
    if (winner === undefined) throw error;
    return winner;
  }
  await syncFolder(folder);
  return elsewhere;
}

async function readLocation(folder: string): Promise<string | undefined> {
  const location = (await ifThere(readFile(join(folder, 'location'), 'utf8')))?.trim() ?? '';
  // The database's account can write here. It must not make root hand over a folder of its choice.
  return dirname(location) === SYSTEM_FOLDER ? location : undefined;
}

/**
 * A folder for the socket that only the database's account may enter: who can enter it may connect.
 * Beside the data, or in the temporary folder where that path is too long for a socket.
 */
export async function prepareSocketFolder({ folder: home, runAs }: DatabaseHome): Promise<string> {
  // The name follows from the data folder, so that a crash leaves nothing to be tidied up.
  const name = `meridian-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const places = [join(home, 'run'), join(tmpdir(), name), join('/tmp', name)];
  const socket = `.s.PGSQL.${SOCKET_PORT}`;
  const folder = places.find((one) => Buffer.byteLength(join(one, socket)) <= LONGEST_PATH) ?? '';
  await orRefuse(folder, () => makePrivate(folder, runAs));
  return folder;
}

/** A rename or a new name in a folder survives a power cut only once the folder itself is synced. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

export async function ifThere<T>(content: Promise<T>): Promise<T | undefined> {
  try {
    return await content;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function orRefuse<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error;
    const sentence = `The database folder ${folder} cannot be written: ${plainReason(error)}.`;
    throw new EmbeddedDatabaseError('not-writable', sentence, { cause: error });
  }
}
