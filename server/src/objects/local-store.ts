import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, realpath, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  OBJECT_MAX_BYTES,
  ObjectStoreError,
  ObjectTooLargeError,
  assertObjectKey,
  contentTypeOf,
} from './objects.ts';
import type { LocalStore } from './objects.ts';

export function createLocalStore(options: {
  root: string;
  publicUrl: (key: string) => string;
}): LocalStore {
  const root = path.resolve(options.root);
  return {
    kind: 'local',
    publicUrl: options.publicUrl,

    async put(key, bytes) {
      if (bytes.byteLength > OBJECT_MAX_BYTES) throw new ObjectTooLargeError(key);
      await ofStore(key, async () => {
        const directory = await makeDirectory(root, path.posix.dirname(key));
        await replaceFile(path.join(directory, path.posix.basename(key)), bytes);
      });
    },

    async get(key, maxBytes = OBJECT_MAX_BYTES) {
      const bytes = await ofStore(key, () => read(root, key, maxBytes));
      return bytes === null ? null : { bytes, contentType: contentTypeOf(key) };
    },

    async delete(key) {
      await ofStore(key, async () => {
        const directory = await findDirectory(root, path.posix.dirname(key));
        if (directory === null) return;
        await orWhen(unlink(path.join(directory, path.posix.basename(key))), ['ENOENT'], undefined);
      });
    },
  };
}

async function ofStore<T>(key: string, work: () => Promise<T>): Promise<T> {
  assertObjectKey(key);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new ObjectStoreError(`The file of ${key} failed: ${error.message}`, { cause: error });
  }
}

async function read(root: string, key: string, maxBytes: number): Promise<Uint8Array | null> {
  const directory = await findDirectory(root, path.posix.dirname(key));
  if (directory === null) return null;
  const file = path.join(directory, path.posix.basename(key));
  // Without O_NONBLOCK the opening of a pipe would wait for its writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'];
  const handle = await orWhen(open(file, flags), absent, null);
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > OBJECT_MAX_BYTES) return null;
    if (stat.size > maxBytes) throw new ObjectTooLargeError(key);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function isInside(root: string, candidate: string): boolean {
  return candidate === root || candidate.startsWith(root + path.sep);
}

async function findDirectory(root: string, folder: string): Promise<string | null> {
  const absent = ['ENOENT', 'ENOTDIR', 'ELOOP'];
  const realRoot = await orWhen(realpath(root), absent, null);
  const directory = await orWhen(realpath(path.join(root, folder)), absent, null);
  if (realRoot === null || directory === null) return null;
  return isInside(realRoot, directory) ? directory : null;
}

/** Each part is checked by itself, so that nothing is made outside the root. */
async function makeDirectory(root: string, folder: string): Promise<string> {
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
  const made = mkdir(directory).then(() => syncDirectory(parent));
  await orWhen(made, ['EEXIST'], undefined);
  return realpath(directory);
}

/** A reader in between and a power cut leave the old bytes or the new ones. */
export async function replaceFile(file: string, bytes: Uint8Array, mode = 0o644): Promise<void> {
  const temporary = path.join(path.dirname(file), `.new-${randomUUID()}`);
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode, flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(path.dirname(file));
}

/** A power cut then loses no name that was created, renamed or removed in the directory. */
async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory, and needs no such call.
  if (process.platform === 'win32') return;
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function orWhen<T, F>(work: Promise<T>, codes: string[], fallback: F): Promise<T | F> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (codes.some((one) => one === code)) return fallback;
    throw error;
  }
}
