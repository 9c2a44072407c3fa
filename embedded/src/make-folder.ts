import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';

/** Creates the folder and those missing above it. Node's own recursive mkdir never ends under /proc. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (await exists(path)) return requireFolder(path);
  await makeFolder(dirname(path), mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    await requireFolder(path); // another process created it in this moment
  }
}

export async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((await exists(folder)) || folder === dirname(folder)) return folder;
  }
}

export async function exists(path: string): Promise<boolean> {
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

export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isDirectory()) return;
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}
