import { cidOfRecord, newRkey } from '../identifiers.ts';
import { POST_COLLECTION } from '../network.ts';
import type { BlobRef } from '../network.ts';
import { internalServerError, invalidRequest } from './xrpc-error.ts';

export type RecordInput = {
  collection: string;
  rkey?: string | undefined;
  record: Record<string, unknown>;
  /** True: refuse a type without a known schema. False: no check at all. */
  validate?: boolean | undefined;
};

export type PreparedRecord = {
  collection: string;
  rkey: string;
  cid: string;
  record: Record<string, unknown>;
  blobs: BlobRef[];
  validationStatus: 'valid' | 'unknown' | undefined;
};

/** Checks a record and computes what the host stores. Throws an XrpcError for what it refuses. */
export async function prepareRecord(
  input: RecordInput,
  path: (string | number)[] = ['record'],
): Promise<PreparedRecord> {
  const { collection, rkey = newRkey() } = input;
  const { $type = collection } = input.record;
  if ($type !== collection) {
    throw invalidRequest(`Invalid $type: expected ${collection}, got ${JSON.stringify($type)}`);
  }
  const record = { ...input.record, $type: collection };
  const validationStatus = await validate(record, rkey, input.validate, path);
  return {
    collection,
    rkey,
    cid: cidOf(record),
    record,
    blobs: blobsOf(record),
    validationStatus,
  };
}

async function validate(
  record: { $type: string },
  rkey: string,
  mode: boolean | undefined,
  path: (string | number)[],
) {
  if (mode === false) return undefined;
  if (record.$type === POST_COLLECTION) {
    // Loaded here, because it takes 20 MB and no other network needs it.
    const { checkPost } = await import('./xrpc-input.ts');
    checkPost(record, rkey, path);
    return 'valid';
  }
  if (mode === true) throw invalidRequest(`Unknown lexicon type: ${record.$type}`);
  return 'unknown';
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
