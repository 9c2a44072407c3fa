import { pictureTypeOf } from '../../features/pictures/picture-type.ts';
import { cidOfBlob, cidOfRecord, newRkey } from '../identifiers.ts';
import type { BlobRef } from '../network.ts';
import type { LocalStore, RecordKey } from './local-records.store.ts';
import type { PreparedRecord } from './prepare-record.ts';
import { internalServerError, invalidRequest, XrpcError } from './xrpc-error.ts';

/** As the reference PDS is configured unless told otherwise. */
export const MAX_BLOB_BYTES = 5 * 1024 * 1024;

/**
 * The calls that the engine makes, with the responses and refusals of the reference PDS. Each returns
 * the body of the response or throws an XrpcError. There is no commit log: `commit` only says that one
 * was made.
 */
export function createLocalRepo(store: LocalStore) {
  return {
    /** With `swapRecord: null`: no other record may be stored under the key. */
    async putRecord(did: string, record: PreparedRecord): Promise<object> {
      await requireBlobs(store, did, [record]);
      const body = { uri: uriOf(did, record), cid: record.cid };
      if (await store.insert(did, [record])) return { ...body, commit: commitOf(did) };
      const stored = await store.find({ did, ...record });
      if (stored?.cid === record.cid) return body;
      throw invalidRequest(`Record was at ${stored?.cid ?? 'null'}`, 'InvalidSwap');
    },

    /** Creates all records or none. */
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

/** Refuses records whose blobs were not uploaded, or as something else. */
export async function requireBlobs(
  store: LocalStore,
  did: string,
  records: readonly PreparedRecord[],
): Promise<void> {
  const refs = records.flatMap(({ blobs }) => blobs);
  if (refs.length === 0) return;
  const found = await store.findBlobs(
    did,
    refs.map(({ ref }) => ref.$link),
  );
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
