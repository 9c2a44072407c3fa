import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from './durable-files.ts';
import { ObjectStoreError } from './errors.ts';
import { isFsError, orWhen } from './fs-errors.ts';

function isInside(root: string, candidate: string): boolean {
  return candidate === root || candidate.startsWith(root + path.sep);
}

/**
 * The real directory of a folder inside the root, with every link on the way resolved; null when
 * there is none or when a link leads out of the root.
 */
export async function findDirectory(root: string, folder: string): Promise<string | null> {
  const absent = ['ENOENT', 'ENOTDIR', 'ELOOP'];
  const realRoot = await orWhen(realpath(root), absent, null);
  const directory = await orWhen(realpath(path.join(root, folder)), absent, null);
  if (realRoot === null || directory === null) return null;
  return isInside(realRoot, directory) ? directory : null;
}

/** The same, creating what is missing. Checked part by part: nothing is made outside the root. */
export async function makeDirectory(root: string, folder: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const realRoot = await realpath(root);
  let directory = realRoot;
  for (const part of folder.split('/').filter((name) => name !== '' && name !== '.')) {
    directory = await enterDirectory(directory, part);
    if (!isInside(realRoot, directory)) {
      throw new ObjectStoreError(`${folder} leads out of the store`);
    }
  }
  return directory;
}

async function enterDirectory(parent: string, part: string): Promise<string> {
  const directory = path.join(parent, part);
  try {
    await mkdir(directory);
    await syncDirectory(parent);
  } catch (error) {
    if (!isFsError(error, 'EEXIST')) throw error;
  }
  return realpath(directory);
}
