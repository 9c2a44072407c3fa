import type { PreparedRecord, StoredRecord } from '../local/local-repo.ts';
import type { TestStore } from './test-repo.ts';

/** Repositories without a database: a host whose own costs are small, for measuring. Any DID exists. */
export function createMemoryStore(): TestStore {
  const records = new Map<string, StoredRecord>();
  const blobs = new Map<string, { mimeType: string; bytes: Uint8Array }>();
  const put = (did: string, record: PreparedRecord) => records.set(keyOf(did, record), record);

  return {
    async insert(did, added) {
      const keys = new Set(added.map((record) => keyOf(did, record)));
      if (keys.size < added.length || [...keys].some((key) => records.has(key))) return false;
      for (const record of added) put(did, record);
      return true;
    },
    async replace(did, cid, record) {
      if (records.get(keyOf(did, record))?.cid !== cid) return false;
      put(did, record);
      return true;
    },
    find: async (key) => records.get(keyOf(key.did, key)) ?? null,
    async list(did, collection, { limit, cursor, isReverse }) {
      const prefix = keyOf(did, { collection, rkey: '' });
      const found = [...records].filter(([key]) => key.startsWith(prefix)).map(([, one]) => one);
      found.sort((a, b) => (a.rkey < b.rkey === isReverse ? -1 : 1));
      const isBeyond = ({ rkey }: StoredRecord) =>
        cursor === null || (isReverse ? rkey > cursor : rkey < cursor);
      return found.filter(isBeyond).slice(0, limit);
    },
    async insertBlob(did, { cid, mimeType, bytes }) {
      blobs.set(`${did}/${cid}`, { mimeType, bytes });
    },
    findBlobs: async (did, cids) =>
      cids.flatMap((cid) => {
        const blob = blobs.get(`${did}/${cid}`);
        if (blob === undefined) return [];
        return [{ cid, mimeType: blob.mimeType, size: blob.bytes.length, isReferenced: false }];
      }),
    readBlob: async (did, cid) => blobs.get(`${did}/${cid}`) ?? null,
    findDid: async (identifier) => (identifier.startsWith('did:') ? identifier : null),
  };
}

function keyOf(did: string, { collection, rkey }: { collection: string; rkey: string }): string {
  return `${did}/${collection}/${rkey}`;
}
