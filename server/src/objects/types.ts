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
