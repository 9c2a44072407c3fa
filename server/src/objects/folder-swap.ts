import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from './confined-path.ts';
import { syncDirectory, writeNewFile } from './durable-files.ts';
import { orWhen } from './fs-errors.ts';

/** Holds every generation of every swapped folder; the folder itself is a link to one of them. */
export const GENERATIONS = '.generations';

/**
 * Replaces a whole folder in one step: the files are written to a new generation, and renaming one
 * link puts it in force. A crash leaves the old generation or the new one. One call at a time.
 */
export async function swapFolder(
  root: string,
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const generations = await makeDirectory(root, GENERATIONS);
  const previous = await currentGeneration(root, folder);
  await sweep(generations, folder, previous);

  const name = `${folder}@${randomUUID()}`;
  const generation = path.join(generations, name);
  try {
    await mkdir(generation);
    for (const [file, bytes] of files) await writeNewFile(path.join(generation, file), bytes);
    await syncDirectory(generation);
    await syncDirectory(generations);
    await pointAt(root, folder, name);
  } catch (error) {
    await rm(generation, { recursive: true, force: true });
    throw error;
  }
  try {
    await syncDirectory(root);
  } catch (error) {
    // In force but perhaps not on disk: a failed call must leave the old folder in force.
    if (previous === null) await rm(path.join(root, folder), { force: true });
    else await pointAt(root, folder, previous);
    throw error;
  }
}

async function currentGeneration(root: string, folder: string): Promise<string | null> {
  const link = path.join(root, folder);
  const target = await orWhen(readlink(link), ['ENOENT', 'EINVAL'], null);
  return target === null ? null : path.basename(target);
}

/**
 * Drops what earlier swaps left behind. Before the swap, so that a failure changes nothing, and so
 * that a reader who has just looked up the folder has until the next swap to open a file in it.
 */
async function sweep(generations: string, folder: string, keep: string | null): Promise<void> {
  for (const name of await readdir(generations)) {
    if (name === keep || !name.startsWith(`${folder}@`)) continue;
    await rm(path.join(generations, name), { recursive: true, force: true });
  }
}

async function pointAt(root: string, folder: string, generation: string): Promise<void> {
  const link = path.join(root, folder);
  const temporary = path.join(root, `.link-${randomUUID()}`);
  // Relative, so that the data directory can be moved.
  await symlink(path.join(GENERATIONS, generation), temporary);
  try {
    const isDirectory = await orWhen(rename(temporary, link), ['EISDIR'], true);
    if (isDirectory === true) await replaceDirectory(root, folder, temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A plain directory (a restored backup, say) cannot be replaced by a link in one step: two. */
async function replaceDirectory(root: string, folder: string, link: string): Promise<void> {
  const directory = path.join(root, folder);
  const aside = path.join(root, GENERATIONS, `${folder}@${randomUUID()}`);
  await rename(directory, aside);
  try {
    await rename(link, directory);
  } catch (error) {
    await rename(aside, directory);
    throw error;
  }
}
