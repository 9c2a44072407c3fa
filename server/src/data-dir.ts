import { lstat, mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, plainReason } from './db/embedded/errors.ts';
import { StartError } from './start-error.ts';

/** Refuses a DATA_DIR in which nothing can be created. Leaves nothing behind. */
export async function requireDataDir(path: string): Promise<void> {
  try {
    await tryToCreateIn(await nearestExisting(path));
  } catch (error) {
    // A full disk still holds a database whose data can be read; whatever needs room will say so.
    if (errorCode(error) === 'ENOSPC' && (await exists(path))) return;
    throw new StartError(
      `The data folder ${path} cannot be written (${reasonOf(error)}); set DATA_DIR to a folder that this account may write to.`,
      { cause: error },
    );
  }
}

/** Creates the folder and those missing above it. Node's own recursive mkdir never ends under /proc. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  const existing = await nearestExisting(path);
  for (let folder = path; folder !== existing; folder = dirname(folder)) missing.unshift(folder);
  if (missing.length === 0) await requireFolder(path);
  for (const folder of missing) {
    try {
      await mkdir(folder, { mode });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      await requireFolder(folder); // another process created it in this moment
    }
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((await exists(folder)) || folder === dirname(folder)) return folder;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    // Not `stat`: a link that leads nowhere is in the way too.
    await lstat(path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Asks the system instead of reading modes: mounts, access lists and pseudo file systems count too. */
async function tryToCreateIn(folder: string): Promise<void> {
  await requireFolder(folder);
  await rmdir(await mkdtemp(join(folder, '.meridian-start-')));
}

async function requireFolder(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isDirectory()) return;
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}

/** Under /proc a new folder is refused as if the one above it were missing. */
function reasonOf(error: unknown): string {
  return errorCode(error) === 'ENOENT' ? 'nothing can be created there' : plainReason(error);
}
