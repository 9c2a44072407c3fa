import { mkdtemp, rmdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { errorCode, plainReason } from '@meridian/embedded-postgres/errors';
import { exists, nearestExisting, requireFolder } from '@meridian/embedded-postgres/make-folder';
import { StartError } from './start-error.ts';

/** A path as the operator would type it in the working directory. */
export function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : `./${fromHere}`;
}

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

/** Asks the system instead of reading modes: mounts, access lists and pseudo file systems count too. */
async function tryToCreateIn(folder: string): Promise<void> {
  await requireFolder(folder);
  await rmdir(await mkdtemp(join(folder, '.meridian-start-')));
}

/** Under /proc a new folder is refused as if the one above it were missing. */
function reasonOf(error: unknown): string {
  return errorCode(error) === 'ENOENT' ? 'nothing can be created there' : plainReason(error);
}
