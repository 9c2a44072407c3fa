import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLocalStore } from '../local-store.ts';
import { createObjectStore, publicUrls } from '../object-store.ts';
import type { S3Limits } from '../s3-store.ts';
import type { LocalStore, ObjectStore } from '../objects.ts';
import type { FakeS3 } from './fake-s3.ts';

/** The real limits without the pauses between retries. */
export const QUICK: S3Limits = {
  connectTimeoutMs: 30_000,
  totalTimeoutMs: 30_000,
  attempts: 3,
  firstBackoffMs: 1,
};

export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'meridian-objects-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export function localStoreIn(dataDir: string): LocalStore {
  return createLocalStore({ root: path.join(dataDir, 'objects'), publicUrl: publicUrls('/cdn/') });
}

export function s3StoreOn(
  fake: FakeS3,
  { prefix = 'site', limits = QUICK }: { prefix?: string; limits?: S3Limits } = {},
): ObjectStore {
  return createObjectStore({
    ...fake.credentials,
    url: `s3://${fake.bucket}/${prefix}`,
    endpoint: fake.endpoint,
    allowPrivateNetwork: false,
    dataDir: '',
    cdnBaseUrl: 'https://cdn.example/files',
    s3Limits: limits,
  });
}

/** Fails the nth upload, before or after it took effect; later ones work again. */
export function failingAt(store: ObjectStore, nth: number, when: 'before' | 'after'): ObjectStore {
  let uploads = 0;
  return {
    ...store,
    async put(key, bytes, options) {
      uploads += 1;
      const fails = uploads === nth;
      if (fails && when === 'before') throw new Error(`Upload ${nth} fails`);
      await store.put(key, bytes, options);
      if (fails) throw new Error(`Upload ${nth} fails after it took effect`);
    },
  };
}
