import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createObjectStore } from '../object-store.ts';
import type { ObjectStoreConfig } from '../object-store.ts';
import type { S3Limits } from '../s3-client.ts';
import type { ObjectStore } from '../types.ts';
import type { FakeS3 } from './fake-s3.ts';

const LOCAL: ObjectStoreConfig = {
  url: null,
  endpoint: null,
  region: null,
  accessKeyId: null,
  secretAccessKey: null,
  sessionToken: null,
  allowPrivateNetwork: false,
  dataDir: '',
  cdnBaseUrl: '/cdn/',
};

/** The real limits with the waiting taken out. */
export const QUICK: S3Limits = {
  connectTimeoutMs: 30_000,
  totalTimeoutMs: 30_000,
  tries: 3,
  firstPauseMs: 1,
};

export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'meridian-objects-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export function localStoreIn(dataDir: string): ObjectStore {
  return createObjectStore({ ...LOCAL, dataDir });
}

export function s3StoreOn(
  fake: FakeS3,
  { prefix = 'site', limits = QUICK }: { prefix?: string; limits?: S3Limits } = {},
): ObjectStore {
  return createObjectStore({
    ...LOCAL,
    ...fake.credentials,
    url: `s3://${fake.bucket}/${prefix}`,
    endpoint: fake.endpoint,
    cdnBaseUrl: 'https://cdn.example/files',
    s3Limits: limits,
  });
}

/** The same files without the one-step swap: what a store does that changes files one by one. */
export function oneByOne(store: ObjectStore): ObjectStore {
  return {
    kind: store.kind,
    put: (key, bytes, options) => store.put(key, bytes, options),
    get: (key, options) => store.get(key, options),
    remove: (key, options) => store.remove(key, options),
    list: (prefix, options) => store.list(prefix, options),
    publicUrl: (key) => store.publicUrl(key),
  };
}

/** Fails the nth change (put or remove), before or after it took effect; later ones work again. */
export function failingAt(store: ObjectStore, nth: number, when: 'before' | 'after'): ObjectStore {
  let changes = 0;
  const change = async (work: () => Promise<void>): Promise<void> => {
    changes += 1;
    const isTurn = changes === nth;
    if (isTurn && when === 'before') throw new Error(`Change ${nth} fails`);
    await work();
    if (isTurn) throw new Error(`Change ${nth} fails after it was made`);
  };
  return {
    ...oneByOne(store),
    put: (key, bytes, options) => change(() => store.put(key, bytes, options)),
    remove: (key, options) => change(() => store.remove(key, options)),
  };
}

/** Everything under a prefix as text, to compare a state with another. */
export async function contents(store: ObjectStore, prefix: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const key of await store.list(prefix)) {
    const object = await store.get(key);
    if (object !== null) found.set(key, Buffer.from(object.bytes).toString('utf8'));
  }
  return found;
}
