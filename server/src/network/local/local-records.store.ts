import type { Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import type { PreparedRecord } from './prepare-record.ts';

export type StoredRecord = { rkey: string; cid: string; record: unknown };
export type StoredBlob = { cid: string; mimeType: string; size: number; isReferenced: boolean };
export type RecordKey = { did: string; collection: string; rkey: string };
export type RecordPage = { limit: number; cursor: string | null; isReverse: boolean };
export type NewBlob = { cid: string; mimeType: string; bytes: Uint8Array };

/** The repositories of the local network. */
export type LocalStore = {
  /** All or none. False when one of the keys is taken. */
  insert(did: string, records: readonly PreparedRecord[]): Promise<boolean>;
  /** False when another record than `cid` is stored by now. */
  replace(did: string, cid: string, record: PreparedRecord): Promise<boolean>;
  find(key: RecordKey): Promise<StoredRecord | null>;
  list(did: string, collection: string, page: RecordPage): Promise<StoredRecord[]>;
  insertBlob(did: string, blob: NewBlob): Promise<void>;
  findBlobs(did: string, cids: readonly string[]): Promise<StoredBlob[]>;
  /** Only a blob that a record refers to is public. */
  readBlob(did: string, cid: string): Promise<{ mimeType: string; bytes: Uint8Array } | null>;
  /** The DID of an account, by DID or handle. */
  findDid(identifier: string): Promise<string | null>;
};

export function createTableStore(db: Db): LocalStore {
  return {
    async insert(did, records) {
      try {
        await db.execute(sql`
          with ${referenced(did, records)}
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
    async replace(did, cid, record) {
      const replaced = await db.execute(sql`
        with ${referenced(did, [record])}
        update local_records
        set cid = ${record.cid}, record = ${sql.json(record.record)}, indexed_at = clock_timestamp()
        where did = ${did} and collection = ${record.collection} and rkey = ${record.rkey}
          and cid = ${cid}`);
      return replaced === 1;
    },
    find: ({ did, collection, rkey }) =>
      db.maybeOne(sql`
        select rkey, cid, record from local_records
        where did = ${did} and collection = ${collection} and rkey = ${rkey}`),
    list(did, collection, { limit, cursor, isReverse }) {
      // In the order of their bytes, as TIDs sort.
      const isBeyond = isReverse
        ? sql`rkey collate "C" > ${cursor}`
        : sql`rkey collate "C" < ${cursor}`;
      return db.many(sql`
        select rkey, cid, record from local_records
        where did = ${did} and collection = ${collection} ${cursor === null ? sql`` : sql`and ${isBeyond}`}
        order by rkey collate "C" ${isReverse ? sql`asc` : sql`desc`} limit ${sql.whole(limit)}`);
    },
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
    async findDid(identifier) {
      const user = await db.maybeOne<{ did: string }>(sql`
        select did from users where did = ${identifier} or handle = lower(${identifier}) limit 1`);
      return user?.did ?? null;
    },
  };
}

/** A blob becomes public in the same statement as the first record that refers to it. */
function referenced(did: string, records: readonly PreparedRecord[]) {
  const cids = records.flatMap(({ blobs }) => blobs.map(({ ref }) => ref.$link));
  return sql`referenced as (
    update local_blobs set is_referenced = true
    where did = ${did} and cid = any(${cids}) and not is_referenced)`;
}
