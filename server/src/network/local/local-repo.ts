import { cidOfBlob, cidOfRecord, newRkey } from '../identifiers.ts';
import type { BlobRef } from '../network.ts';
import { pictureTypeOf } from '../../features/pictures/picture-type.ts';
import type { LocalStore, RecordKey, RecordPage } from './local-records.store.ts';
import { prepareRecord } from './prepare-record.ts';
import type { PreparedRecord, RecordInput } from './prepare-record.ts';
import { internalServerError, invalidRequest, XrpcError } from './xrpc-error.ts';

/** As the reference PDS is configured unless told otherwise. */
export const MAX_BLOB_BYTES = 5 * 1024 * 1024;
const MAX_WRITES = 200;

export type PutInput = RecordInput & {
  rkey: string;
  /** Null: nothing may be stored under the key. Absent: whatever is stored is replaced. */
  swapRecord?: string | null | undefined;
};

/**
 * The calls of a host, with the responses and refusals of the reference PDS. Each returns the body
 * of the response or throws an XrpcError. There is no commit log: `commit` only says that one was made.
 */
export function createLocalRepo(store: LocalStore) {
  async function putRecord(did: string, input: PutInput): Promise<object> {
    const record = await prepareRecord(input);
    const body = {
      uri: uriOf(did, record),
      cid: record.cid,
      validationStatus: record.validationStatus,
    };
    // A record that appears or changes between reading and writing is read again.
    for (;;) {
      await requireBlobs(did, [record]);
      const isNew = (input.swapRecord ?? null) === null && (await store.insert(did, [record]));
      if (isNew) return { ...body, commit: commitOf(did) };
      const current = await store.find({ did, ...record });
      if (current?.cid === record.cid) return body;
      if (input.swapRecord !== undefined && (current?.cid ?? null) !== input.swapRecord) {
        throw invalidRequest(`Record was at ${current?.cid ?? 'null'}`, 'InvalidSwap');
      }
      if (current !== null && (await store.replace(did, current.cid, record))) {
        return { ...body, commit: commitOf(did) };
      }
    }
  }

  async function createRecord(did: string, input: RecordInput): Promise<object> {
    const record = await prepareRecord(input);
    await requireBlobs(did, [record]);
    // The reference PDS has no words for a key that is taken either.
    if (!(await store.insert(did, [record]))) throw internalServerError();
    return {
      uri: uriOf(did, record),
      cid: record.cid,
      commit: commitOf(did),
      validationStatus: record.validationStatus,
    };
  }

  /** Creates only: the local network's accounts are written by the engine. */
  async function applyWrites(did: string, writes: readonly RecordInput[]): Promise<object> {
    if (writes.length > MAX_WRITES) throw invalidRequest(`Too many writes. Max: ${MAX_WRITES}`);
    const records: PreparedRecord[] = [];
    for (const [index, write] of writes.entries()) {
      records.push(await prepareRecord(write, ['writes', index, 'record']));
    }
    await requireBlobs(did, records);
    if (!(await store.insert(did, records))) throw internalServerError();
    return {
      commit: commitOf(did),
      results: records.map((record) => ({
        $type: 'com.atproto.repo.applyWrites#createResult',
        uri: uriOf(did, record),
        cid: record.cid,
        validationStatus: record.validationStatus,
      })),
    };
  }

  async function getRecord(key: RecordKey, cid?: string): Promise<object> {
    const found = await store.find(key);
    if (found === null || (cid !== undefined && cid !== found.cid)) {
      throw invalidRequest(`Could not locate record: ${uriOf(key.did, key)}`, 'RecordNotFound');
    }
    return { uri: uriOf(key.did, key), cid: found.cid, value: found.record };
  }

  async function listRecords(did: string, collection: string, page: RecordPage): Promise<object> {
    const records = await store.list(did, collection, page);
    return {
      records: records.map(({ rkey, cid, record }) => ({
        uri: uriOf(did, { collection, rkey }),
        cid,
        value: record,
      })),
      cursor: records.at(-1)?.rkey,
    };
  }

  async function uploadBlob(did: string, bytes: Uint8Array, declared: string): Promise<object> {
    if (bytes.length > MAX_BLOB_BYTES) {
      throw new XrpcError(413, 'PayloadTooLarge', 'request entity too large');
    }
    const mimeType = pictureTypeOf(Buffer.from(bytes)) ?? declared;
    const cid = cidOfBlob(bytes);
    await store.insertBlob(did, { cid, mimeType, bytes });
    const blob: BlobRef = { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length };
    return { blob };
  }

  async function getBlob(did: string, cid: string) {
    if ((await store.findDid(did)) === null) {
      throw invalidRequest(`Could not find repo for DID: ${did}`, 'RepoNotFound');
    }
    const found = await store.readBlob(did, cid);
    if (found === null) throw invalidRequest('Blob not found');
    return found;
  }

  async function requireBlobs(did: string, records: readonly PreparedRecord[]): Promise<void> {
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

  return { putRecord, createRecord, applyWrites, getRecord, listRecords, uploadBlob, getBlob };
}

function mismatch(what: string, error: string, expected: string | number, got: string | number) {
  return invalidRequest(
    `Referenced ${what} does not match stored blob. Expected: ${expected}, Got: ${got}`,
    error,
  );
}

function uriOf(did: string, { collection, rkey }: { collection: string; rkey: string }): string {
  return `at://${did}/${collection}/${rkey}`;
}

function commitOf(did: string) {
  const rev = newRkey();
  return { cid: cidOfRecord({ did, rev }), rev };
}
