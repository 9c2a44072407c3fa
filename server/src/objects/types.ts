export type StoredObject = { readonly bytes: Uint8Array; readonly contentType: string };

export type CallOptions = {
  /** Cuts the call short; a write that was under way may or may not have happened. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Small public files under keys such as `plans/index.json`. Content type and cache life follow
 * from the key alone, so that every store and the local delivery agree about them.
 */
export interface ObjectStore {
  readonly kind: 'local' | 's3';
  /** A reader sees the old bytes or the new ones, never a part. */
  put(key: string, bytes: Uint8Array, options?: CallOptions): Promise<void>;
  get(key: string, options?: CallOptions): Promise<StoredObject | null>;
  /** Removing what is not there is no error. */
  remove(key: string, options?: CallOptions): Promise<void>;
  /** The keys that start with the prefix, sorted. */
  list(prefix: string, options?: CallOptions): Promise<string[]>;
  publicUrl(key: string): string;
  /**
   * Replaces all of one folder by these files (name to bytes) in a single step for every reader.
   * Only where the store can do that; elsewhere files change one by one.
   */
  readonly replaceFolder?: (
    folder: string,
    files: ReadonlyMap<string, Uint8Array>,
  ) => Promise<void>;
}
