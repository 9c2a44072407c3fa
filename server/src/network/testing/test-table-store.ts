import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { createTableStore } from '../local/local-repo.ts';
import type { TestStore } from './test-repo.ts';

/** The tables of the local network, for a host over HTTP. */
export function createTestTableStore(db: Db): TestStore {
  return {
    ...createTableStore(db),
    async replace(did, cid, record) {
      const replaced = await db.execute(sql`
        update local_records
        set cid = ${record.cid}, record = ${sql.json(record.record)}, indexed_at = clock_timestamp()
        where did = ${did} and collection = ${record.collection} and rkey = ${record.rkey}
          and cid = ${cid}`);
      return replaced === 1;
    },
    // TIDs sort in the order of their bytes.
    list: (did, collection, { limit, cursor }) =>
      db.many(sql`
        select rkey, cid, record from local_records
        where did = ${did} and collection = ${collection}
          and (${cursor}::text is null or rkey collate "C" < ${cursor})
        order by rkey collate "C" desc limit ${sql.whole(limit)}`),
    async findDid(identifier) {
      const user = await db.maybeOne<{ did: string }>(sql`
        select did from users where did = ${identifier} or handle = lower(${identifier}) limit 1`);
      return user?.did ?? null;
    },
  };
}
