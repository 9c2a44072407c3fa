import type { Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import { pictureTypeOf } from '../../features/pictures/picture-type.ts';
import { cidOfBlob, cidOfRecord, newRkey } from '../identity.ts';
import { POST_COLLECTION } from '../network.ts';
import type { BlobRef } from '../network.ts';
import { internalServerError, invalidRequest, XrpcError } from './xrpc-error.ts';

export const MAX_BLOB_BYTES = 5 * 1024 * 1024;

/** The responses and refusals are those of the reference PDS; there is no commit log behind `commit`. */
export function createLocalRepo(store: LocalStore) {
  return {
    /** `swapRecord` is null: no other record may be stored under the key. */
    async putRecord(did: string, record: PreparedRecord): Promise<object> {
      await requireBlobs(store, did, [record]);
      const body = { uri: uriOf(did, record), cid: record.cid };
      if (await store.insert(did, [record])) return { ...body, commit: commitOf(did) };
      const stored = await store.find({ did, ...record });
      if (stored?.cid === record.cid) return body;
      throw invalidRequest(`Record was at ${stored?.cid ?? 'null'}`, 'InvalidSwap');
    },

    async applyWrites(did: string, records: readonly PreparedRecord[]): Promise<object> {
      await requireBlobs(store, did, records);
      // The reference PDS has no words for a key that is taken either.
      if (!(await store.insert(did, records))) throw internalServerError();
      const results = records.map((record) => ({
        $type: 'com.atproto.repo.applyWrites#createResult',
        uri: uriOf(did, record),
        cid: record.cid,
      }));
      return { commit: commitOf(did), results };
    },

    async getRecord(key: RecordKey): Promise<{ uri: string; cid: string; value: unknown }> {
      const uri = uriOf(key.did, key);
      const found = await store.find(key);
      if (found === null) throw invalidRequest(`Could not locate record: ${uri}`, 'RecordNotFound');
      return { uri, cid: found.cid, value: found.record };
    },

    async uploadBlob(did: string, bytes: Uint8Array, declared: string): Promise<object> {
      if (bytes.length > MAX_BLOB_BYTES) {
        throw new XrpcError(413, 'PayloadTooLarge', 'request entity too large');
      }
      const mimeType = pictureTypeOf(Buffer.from(bytes)) ?? declared;
      const cid = cidOfBlob(bytes);
      await store.insertBlob(did, { cid, mimeType, bytes });
      const blob: BlobRef = { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length };
      return { blob };
    },
  };
}

export async function requireBlobs(
  store: LocalStore,
  did: string,
  records: readonly PreparedRecord[],
): Promise<void> {
  const refs = records.flatMap(({ blobs }) => blobs);
  if (refs.length === 0) return;
  const cids = refs.map(({ ref }) => ref.$link);
  const found = await store.findBlobs(did, cids);
  const byCid = new Map(found.map((blob) => [blob.cid, blob]));
  for (const { ref, mimeType, size } of refs) {
    const stored = byCid.get(ref.$link);
    if (stored === undefined) {
      throw invalidRequest(`Could not find blob: ${ref.$link}`, 'BlobNotFound');
    }
    // The reference PDS compares only with a blob that no record refers to yet.
    if (stored.isReferenced) continue;
    if (mimeType !== stored.mimeType) {
      throw mismatch('Mimetype', 'InvalidMimeType', stored.mimeType, mimeType);
    }
    if (size !== stored.size) throw mismatch('Size', 'InvalidSize', stored.size, size);
  }
}

function mismatch(what: string, error: string, expected: string | number, got: string | number) {
  return invalidRequest(
    `Referenced ${what} does not match stored blob. Expected: ${expected}, Got: ${got}`,
    error,
  );
}

export function uriOf(did: string, { collection, rkey }: Omit<RecordKey, 'did'>): string {
  return `at://${did}/${collection}/${rkey}`;
}

export function commitOf(did: string) {
  const rev = newRkey();
  return { cid: cidOfRecord({ did, rev }), rev };
}

export type StoredRecord = { rkey: string; cid: string; record: unknown };
export type RecordKey = { did: string; collection: string; rkey: string };
type StoredBlob = { cid: string; mimeType: string; size: number; isReferenced: boolean };
type NewBlob = { cid: string; mimeType: string; bytes: Uint8Array };

export type LocalStore = {
  /** It stores all or none, and returns false when one of the keys is taken. */
  insert(did: string, records: readonly PreparedRecord[]): Promise<boolean>;
  find(key: RecordKey): Promise<StoredRecord | null>;
  insertBlob(did: string, blob: NewBlob): Promise<void>;
  findBlobs(did: string, cids: readonly string[]): Promise<StoredBlob[]>;
  /** Only a blob that a record refers to is public. */
  readBlob(did: string, cid: string): Promise<{ mimeType: string; bytes: Uint8Array } | null>;
};

export function createTableStore(db: Db): LocalStore {
  return {
    async insert(did, records) {
      const blobs = records.flatMap((record) => record.blobs.map(({ ref }) => ref.$link));
      try {
        // A blob becomes public in the same statement as the first record that refers to it.
        await db.execute(sql`
          with referenced as (
            update local_blobs set is_referenced = true
            where did = ${did} and cid = any(${blobs}) and not is_referenced)
          insert into local_records (did, collection, rkey, cid, record)
          select ${did}, collection, rkey, cid, record::json
          from unnest(${records.map(({ collection }) => collection)}::text[],
            ${records.map(({ rkey }) => rkey)}::text[], ${records.map(({ cid }) => cid)}::text[],
            ${records.map(({ record }) => JSON.stringify(record))}::text[])
            as n (collection, rkey, cid, record)`);
        return true;
      } catch (error) {
        if (isViolation(error, 'local_records_pkey')) return false;
        throw error;
      }
    },
    find: ({ did, collection, rkey }) =>
      db.maybeOne(sql`
        select rkey, cid, record from local_records
        where did = ${did} and collection = ${collection} and rkey = ${rkey}`),
    async insertBlob(did, { cid, mimeType, bytes }) {
      await db.execute(sql`
        insert into local_blobs (did, cid, mime_type, bytes)
        values (${did}, ${cid}, ${mimeType}, ${Buffer.from(bytes)}) on conflict do nothing`);
    },
    findBlobs: (did, cids) =>
      db.many(sql`
        select cid, mime_type as "mimeType", length(bytes) as size, is_referenced as "isReferenced"
        from local_blobs
        where did = ${did} and cid = any(${cids})`),
    readBlob: (did, cid) =>
      db.maybeOne(sql`
        select mime_type as "mimeType", bytes from local_blobs
        where did = ${did} and cid = ${cid} and is_referenced`),
  };
}

export type PreparedRecord = {
  collection: string;
  rkey: string;
  cid: string;
  record: Record<string, unknown>;
  blobs: BlobRef[];
};

export async function preparePost(
  { rkey, record }: { rkey: string; record: Record<string, unknown> },
  path: (string | number)[] = ['record'],
): Promise<PreparedRecord> {
  // The lexicon takes 20 MB, and no other network needs it.
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
