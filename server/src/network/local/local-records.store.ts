import type { Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import type { PreparedRecord } from './prepare-record.ts';

export type StoredRecord = { rkey: string; cid: string; record: unknown };
export type StoredBlob = { cid: string; mimeType: string; size: number; isReferenced: boolean };
export type RecordKey = { did: string; collection: string; rkey: string };
export type NewBlob = { cid: string; mimeType: string; bytes: Uint8Array };

/** The repositories of the local network. */
export type LocalStore = {
  /** All or none. False when one of the keys is taken. */
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
