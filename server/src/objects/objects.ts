import path from 'node:path';

export type StoredObject = { readonly bytes: Uint8Array; readonly contentType: string };

export type PutOptions = {
  /** Cancels the upload; one that was under way may or may not have taken effect. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Small public files under keys such as `plans/index.json`, readable by everyone who knows the key. Content type and cache lifetime follow
 * from the key alone, so that every store and the local delivery agree about them.
 */
type AnyStore = {
  /** A reader sees the old bytes or the new ones, never a part. */
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>;
  /** Null when it is absent; throws ObjectTooLargeError, unread, when it has more than `maxBytes`. */
  get(key: string, maxBytes?: number): Promise<StoredObject | null>;
  /** Does nothing when it is absent. */
  delete(key: string): Promise<void>;
  publicUrl(key: string): string;
};

export type S3Store = AnyStore & { readonly kind: 's3' };
export type LocalStore = AnyStore & { readonly kind: 'local' };
export type ObjectStore = LocalStore | S3Store;

const KEY_MAX_BYTES = 512;
/** The longest file name of common file systems. */
const PART_MAX_BYTES = 255;
const FORBIDDEN = /[\p{Cc}\\]/u;

/**
 * Slash-separated parts, none empty (so no leading slash and no `://`) and none starting with a
 * dot (so no `..`; dot names are the local store's own).
 */
export function isObjectKey(key: string): boolean {
  if (Buffer.byteLength(key) > KEY_MAX_BYTES) return false;
  if (FORBIDDEN.test(key) || !key.isWellFormed()) return false;
  return key.split('/').every(isKeyPart);
}

function isKeyPart(part: string): boolean {
  return part !== '' && !part.startsWith('.') && Buffer.byteLength(part) <= PART_MAX_BYTES;
}

export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new ObjectStoreError(`Not an object key: ${JSON.stringify(key)}`);
}

/** The key as part of a URL path: everything but letters, digits, `-._~` and its slashes is encoded. */
export function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A store that did not do what it was asked. For the log: the text never goes to a reader. */
export class ObjectStoreError extends Error {
  readonly status: number | null;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ObjectStoreError';
    this.status = options.status ?? null;
  }
}

/** An object with more bytes than its reader takes. */
export class ObjectTooLargeError extends ObjectStoreError {
  constructor(key: string) {
    super(`${key} is too large`);
    this.name = 'ObjectTooLargeError';
  }
}

/** A setting that cannot work: one sentence that names it. */
export class ObjectStoreConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ObjectStoreConfigError';
  }
}

/** An address that the store's host must never resolve to: final, a second try changes nothing. */
export class RefusedAddressError extends ObjectStoreError {
  constructor(hostname: string, address: string) {
    super(`${hostname} resolves to ${address}, which is not allowed for an object store`);
    this.name = 'RefusedAddressError';
  }
}

/** Larger than any index of plans or preview picture, small enough to hold in memory. */
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

const PLANS_FOLDER = 'plans/';
/** A plan's file under its revision is never written again. */
const REVISION_FILE = /^plans\/[^/]+\/[^/]+\.json$/;

export function contentTypeOf(key: string): string {
  return CONTENT_TYPES.get(path.posix.extname(key).toLowerCase()) ?? 'application/octet-stream';
}

export function cacheControlOf(key: string): string {
  if (REVISION_FILE.test(key)) return 'public, max-age=31536000, immutable';
  return contentTypeOf(key).startsWith('image/') ? 'public, max-age=86400' : 'public, max-age=60';
}

/** Published plans are for the pages of any site. */
export function isForAnyOrigin(key: string): boolean {
  return key.startsWith(PLANS_FOLDER);
}

/**
 * Runs the work over all items, so many at once. After the first failure nothing new starts, and
 * it throws only when everything under way has ended.
 */
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
