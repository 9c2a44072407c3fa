export type StoredObject = { readonly bytes: Uint8Array; readonly contentType: string };

export type PutOptions = {
  /** Cancels the upload; one that was under way may or may not have taken effect. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Small public files under keys such as `plans/index.json`. Content type and cache lifetime follow
 * from the key alone, so that every store and the local delivery agree about them.
 */
type WritableStore = {
  /** A reader sees the old bytes or the new ones, never a part. */
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>;
  publicUrl(key: string): string;
};

/** The bucket is read by the content-delivery host, never by this server. */
export type S3Store = WritableStore & { readonly kind: 's3' };
export type LocalStore = WritableStore & {
  readonly kind: 'local';
  get(key: string): Promise<StoredObject | null>;
};
export type ObjectStore = LocalStore | S3Store;
