import path from 'node:path';

/** Content type and cache lifetime follow from the key alone, so that all stores and the local delivery agree. */
type AnyStore = {
  /** A reader sees the old bytes or the new ones, never a part. A cancelled upload may have taken effect. */
  put(
    key: string,
    bytes: Uint8Array,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** It throws ObjectTooLargeError, unread, when the object has more than `maxBytes`. */
  get(key: string, maxBytes?: number): Promise<{ bytes: Uint8Array; contentType: string } | null>;
  delete(key: string): Promise<void>;
  publicUrl(key: string): string;
};

export type S3Store = AnyStore & { readonly kind: 's3' };
export type LocalStore = AnyStore & { readonly kind: 'local' };
export type ObjectStore = LocalStore | S3Store;

const KEY_MAX_BYTES = 512;
const PART_MAX_BYTES = 255;
const FORBIDDEN = /[\p{Cc}\\]/u;

/** No part is empty or has a leading dot, so neither `..` nor `://` passes. */
export function isObjectKey(key: string): boolean {
  if (Buffer.byteLength(key) > KEY_MAX_BYTES) return false;
  if (FORBIDDEN.test(key) || !key.isWellFormed()) return false;
  return key
    .split('/')
    .every((part) => /^[^.]/.test(part) && Buffer.byteLength(part) <= PART_MAX_BYTES);
}

export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new ObjectStoreError(`Not an object key: ${JSON.stringify(key)}`);
}

export function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The text is for the log, and never goes to a reader. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError';
  readonly status: number | null;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options);
    this.status = options.status ?? null;
  }
}

export class ObjectTooLargeError extends ObjectStoreError {
  override name = 'ObjectTooLargeError';

  constructor(key: string) {
    super(`${key} is too large`);
  }
}

export class ObjectStoreConfigError extends Error {
  override name = 'ObjectStoreConfigError';
}

/** A second try changes nothing: the store's host must never resolve to this address. */
export class RefusedAddressError extends ObjectStoreError {
  override name = 'RefusedAddressError';

  constructor(hostname: string, address: string) {
    super(`${hostname} resolves to ${address}, which is not allowed for an object store`);
  }
}

export const OBJECT_MAX_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.json', 'application/json; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.avif', 'image/avif'],
  ['.gif', 'image/gif'],
  ['.jpeg', 'image/jpeg'],
  ['.jpg', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.webp', 'image/webp'],
]);

/** A plan's file under its revision is never written again. */
const REVISION_FILE = /^plans\/[^/]+\/[^/]+\.json$/;

export function contentTypeOf(key: string): string {
  return CONTENT_TYPES.get(path.posix.extname(key).toLowerCase()) ?? 'application/octet-stream';
}

export function cacheControlOf(key: string): string {
  if (REVISION_FILE.test(key)) return 'public, max-age=31536000, immutable';
  return contentTypeOf(key).startsWith('image/') ? 'public, max-age=86400' : 'public, max-age=60';
}

export function isForAnyOrigin(key: string): boolean {
  return key.startsWith('plans/');
}

/** After the first failure nothing new starts, and it throws when everything under way has ended. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const item = queue.shift();
      if (item === undefined) return;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}
