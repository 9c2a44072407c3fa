import { constants } from 'node:fs';
import { open, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { findDirectory, isInside, makeDirectory } from './confined-path.ts';
import { contentTypeOf, OBJECT_MAX_BYTES } from './delivery.ts';
import { replaceFile, syncDirectory } from './durable-files.ts';
import { ObjectStoreError } from './errors.ts';
import { GENERATIONS, swapFolder } from './folder-swap.ts';
import { isFsError, orWhen } from './fs-errors.ts';
import { assertKeyPrefix, assertObjectKey, isObjectKey } from './object-key.ts';
import type { ObjectStore } from './types.ts';

export type LocalStoreOptions = {
  readonly root: string;
  readonly publicUrl: (key: string) => string;
};

/** Files in a folder of this machine, written so that neither a reader nor a crash sees a part. */
export function createLocalStore({ root: folder, publicUrl }: LocalStoreOptions): ObjectStore {
  const root = path.resolve(folder);
  const store: ObjectStore = {
    kind: 'local',
    publicUrl,

    async put(key, bytes) {
      assertObjectKey(key);
      assertSize(key, bytes);
      const directory = await makeDirectory(root, path.posix.dirname(key));
      await replaceFile(path.join(directory, path.posix.basename(key)), bytes);
    },

    async get(key) {
      assertObjectKey(key);
      const bytes = await read(root, key);
      return bytes === null ? null : { bytes, contentType: contentTypeOf(key) };
    },

    async remove(key) {
      assertObjectKey(key);
      const directory = await findDirectory(root, path.posix.dirname(key));
      if (directory === null) return;
      await rm(path.join(directory, path.posix.basename(key)), { force: true });
      await syncDirectory(directory);
    },

    async list(prefix) {
      assertKeyPrefix(prefix);
      const parent = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const start = await findDirectory(root, parent);
      const keys = start === null ? [] : await walk(root, start, parent);
      return keys.filter((key) => key.startsWith(prefix)).toSorted();
    },
  };
  // Windows cannot rename a link over another one.
  if (process.platform === 'win32') return store;
  return {
    ...store,
    async replaceFolder(name, files) {
      if (name.includes('/')) throw new ObjectStoreError('Only a folder at the top can be swapped');
      for (const [file, bytes] of files) {
        if (file.includes('/')) throw new ObjectStoreError('A swapped folder holds files only');
        assertObjectKey(`${name}/${file}`);
        assertSize(file, bytes);
      }
      await swapFolder(root, name, files);
    },
  };
}

function assertSize(key: string, bytes: Uint8Array): void {
  if (bytes.byteLength > OBJECT_MAX_BYTES) throw new ObjectStoreError(`${key} is too large`);
}

async function read(root: string, key: string): Promise<Uint8Array | null> {
  const directory = await findDirectory(root, path.posix.dirname(key));
  return directory === null
    ? null
    : readRegularFile(path.join(directory, path.posix.basename(key)));
}

async function readRegularFile(file: string): Promise<Uint8Array | null> {
  // Without O_NONBLOCK the opening of a pipe would wait for its writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'];
  const handle = await orWhen(open(file, flags), absent, null);
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > OBJECT_MAX_BYTES) return null;
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function walk(root: string, directory: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (const entry of await readEntries(directory)) {
    const key = prefix + entry.name;
    if (!isObjectKey(key)) continue;
    if (entry.isFile()) keys.push(key);
    const below = path.join(directory, entry.name);
    if (entry.isDirectory()) keys.push(...(await walk(root, below, `${key}/`)));
    if (entry.isSymbolicLink()) {
      // Only the store's own links are followed.
      const target = await orWhen(realpath(below), ['ENOENT', 'ELOOP'], null);
      const isOwn =
        target !== null && isInside(path.join(await realpath(root), GENERATIONS), target);
      if (isOwn) keys.push(...(await walk(root, target, `${key}/`)));
    }
  }
  return keys;
}

async function readEntries(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // Removed or swapped while we walked.
    if (isFsError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
