import { newRkey } from '../identity.ts';
import { POST_COLLECTION } from '../network.ts';
import type { LocalStore, PreparedRecord, RecordKey, StoredRecord } from '../local/local-repo.ts';
import {
  commitOf,
  createLocalRepo,
  preparePost,
  requireBlobs,
  storedRecord,
  uriOf,
} from '../local/local-repo.ts';
import { internalServerError, invalidRequest } from '../local/xrpc-error.ts';

const MAX_WRITES = 200;

export type RecordPage = { limit: number; cursor: string | null };

/** The engine asks none of these of a host. */
export type TestStore = LocalStore & {
  /** False when another record than `cid` is stored by now. */
  replace(did: string, cid: string, record: PreparedRecord): Promise<boolean>;
  list(did: string, collection: string, page: RecordPage): Promise<StoredRecord[]>;
  /** The DID of an account, by DID or handle. */
  findDid(identifier: string): Promise<string | null>;
};

export type RecordInput = {
  collection: string;
  rkey?: string | undefined;
  record: Record<string, unknown>;
  /** True: refuse a type without a known schema. False: no check at all. */
  validate?: boolean | undefined;
};

export type PutInput = RecordInput & {
  /** Null: nothing may be stored under the key. Absent: whatever is stored is replaced. */
  swapRecord?: string | null | undefined;
};

async function prepare(input: RecordInput, path?: (string | number)[]): Promise<PreparedRecord> {
  const { collection, rkey = newRkey(), validate } = input;
  const { $type = collection } = input.record;
  if ($type !== collection) {
    throw invalidRequest(`Invalid $type: expected ${collection}, got ${JSON.stringify($type)}`);
  }
  const record = { ...input.record, $type: collection };
  if (collection === POST_COLLECTION && validate !== false) {
    return preparePost({ rkey, record }, path);
  }
  if (validate === true) throw invalidRequest(`Unknown lexicon type: ${collection}`);
  return storedRecord(collection, rkey, record);
}

/** The local network's repository, and the calls that the engine does not make. */
export function createTestRepo(store: TestStore) {
  const repo = createLocalRepo(store);
  return {
    uploadBlob: (did: string, bytes: Uint8Array, type: string) => repo.uploadBlob(did, bytes, type),

    async putRecord(did: string, input: PutInput): Promise<object> {
      const record = await prepare(input);
      const { swapRecord } = input;
      if (swapRecord === null) return repo.putRecord(did, record);
      await requireBlobs(store, did, [record]);
      const body = { uri: uriOf(did, record), cid: record.cid };
      const done = { ...body, commit: commitOf(did) };
      if (swapRecord === undefined && (await store.insert(did, [record]))) return done;
      const current = await store.find({ did, ...record });
      if (current?.cid === record.cid) return body;
      if (swapRecord !== undefined && current?.cid !== swapRecord) {
        throw invalidRequest(`Record was at ${current?.cid ?? 'null'}`, 'InvalidSwap');
      }
      const isReplaced = current !== null && (await store.replace(did, current.cid, record));
      if (!isReplaced) throw internalServerError();
      return done;
    },

    async createRecord(did: string, input: RecordInput): Promise<object> {
      const record = await prepare(input);
      await requireBlobs(store, did, [record]);
      // The reference PDS has no words for a key that is taken.
      if (!(await store.insert(did, [record]))) throw internalServerError();
      return { uri: uriOf(did, record), cid: record.cid, commit: commitOf(did) };
    },

    async applyWrites(did: string, writes: readonly RecordInput[]): Promise<object> {
      if (writes.length > MAX_WRITES) throw invalidRequest(`Too many writes. Max: ${MAX_WRITES}`);
      const records: PreparedRecord[] = [];
      for (const [index, write] of writes.entries()) {
        records.push(await prepare(write, ['writes', index, 'record']));
      }
      return repo.applyWrites(did, records);
    },

    async getRecord(key: RecordKey, cid?: string): Promise<object> {
      const found = await repo.getRecord(key);
      if (cid !== undefined && cid !== found.cid) {
        throw invalidRequest(`Could not locate record: ${found.uri}`, 'RecordNotFound');
      }
      return found;
    },

    async listRecords(did: string, collection: string, page: RecordPage): Promise<object> {
      const records = await store.list(did, collection, page);
      return {
        records: records.map(({ rkey, cid, record }) => ({
          uri: uriOf(did, { collection, rkey }),
          cid,
          value: record,
        })),
        cursor: records.at(-1)?.rkey,
      };
    },

    async getBlob(did: string, cid: string) {
      if ((await store.findDid(did)) === null) {
        throw invalidRequest(`Could not find repo for DID: ${did}`, 'RepoNotFound');
      }
      const found = await store.readBlob(did, cid);
      if (found === null) throw invalidRequest('Blob not found');
      return found;
    },
  };
}
