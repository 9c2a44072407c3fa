import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { findDirectory, makeDirectory } from './confined-path.ts';
import { contentTypeOf, OBJECT_MAX_BYTES } from './delivery.ts';
import { replaceFile } from './durable-files.ts';
import { ObjectStoreError, ObjectTooLargeError } from './errors.ts';
import { orWhen } from './fs-errors.ts';
import { assertObjectKey } from './object-key.ts';
import type { LocalStore } from './types.ts';

export type LocalStoreOptions = {
  readonly root: string;
  readonly publicUrl: (key: string) => string;
};

/** Files in a folder of this machine, written so that neither a reader nor a crash sees a part. */
export function createLocalStore({ root: folder, publicUrl }: LocalStoreOptions): LocalStore {
  const root = path.resolve(folder);
  return {
    kind: 'local',
    publicUrl,

    async put(key, bytes) {
      assertObjectKey(key);
      assertSize(key, bytes);
      await ofStore(key, async () => {
        const directory = await makeDirectory(root, path.posix.dirname(key));
        await replaceFile(path.join(directory, path.posix.basename(key)), bytes);
      });
    },

    async get(key, maxBytes = OBJECT_MAX_BYTES) {
      assertObjectKey(key);
      const bytes = await ofStore(key, () => read(root, key, maxBytes));
      return bytes === null ? null : { bytes, contentType: contentTypeOf(key) };
    },

    async delete(key) {
      assertObjectKey(key);
      await ofStore(key, async () => {
        const directory = await findDirectory(root, path.posix.dirname(key));
        if (directory === null) return;
        await orWhen(unlink(path.join(directory, path.posix.basename(key))), ['ENOENT'], undefined);
      });
    },
  };
}

/** A full disk, a missing right and the like are failures of the store, as those of a bucket are. */
async function ofStore<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new ObjectStoreError(`The file of ${key} failed: ${error.message}`, { cause: error });
  }
}

function assertSize(key: string, bytes: Uint8Array): void {
  if (bytes.byteLength > OBJECT_MAX_BYTES) throw new ObjectTooLargeError(key);
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
