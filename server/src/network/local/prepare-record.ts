import { cidOfRecord } from '../identifiers.ts';
import { POST_COLLECTION } from '../network.ts';
import type { BlobRef } from '../network.ts';
import { internalServerError } from './xrpc-error.ts';

/** A record as the host stores it. */
export type PreparedRecord = {
  collection: string;
  rkey: string;
  cid: string;
  record: Record<string, unknown>;
  blobs: BlobRef[];
};

/** Refuses a post that breaks the lexicon, with an XrpcError; `path` leads to it in the request. */
export async function preparePost(
  { rkey, record }: { rkey: string; record: Record<string, unknown> },
  path: (string | number)[] = ['record'],
): Promise<PreparedRecord> {
  // Loaded here, because it takes 20 MB and no other network needs it.
  const { checkPost } = await import('./post-lexicon.ts');
  checkPost(record, rkey, path);
  return storedRecord(POST_COLLECTION, rkey, record);
}

export function storedRecord(
  collection: string,
  rkey: string,
  record: Record<string, unknown>,
): PreparedRecord {
  return { collection, rkey, cid: cidOf(record), record, blobs: blobsOf(record) };
}

function cidOf(record: object): string {
  try {
    return cidOfRecord(record);
  } catch {
    throw internalServerError();
  }
}

function blobsOf(value: unknown): BlobRef[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isBlobRef(value)) return [value];
  return Object.values(value).flatMap(blobsOf);
}

function isBlobRef(value: object): value is BlobRef {
  const { $type, ref } = value as Partial<BlobRef>;
  return $type === 'blob' && typeof ref?.$link === 'string';
}
