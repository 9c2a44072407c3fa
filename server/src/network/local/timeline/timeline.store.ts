import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { POST_COLLECTION } from '../../network.ts';

const NEWEST = 50;

export type Author = {
  did: string;
  handle: string | null;
  displayName: string | null;
  avatar: string | null;
};
/** A published post; null in the author's fields when the user has been deleted since. */
export type TimelinePost = Author & {
  rkey: string;
  cid: string;
  record: unknown;
  indexedAt: string;
};

export function newestPosts(db: Db): Promise<TimelinePost[]> {
  return db.many(sql`
    ${selectPosts} where r.collection = ${POST_COLLECTION}
    order by r.indexed_at desc, r.rkey desc limit ${sql.whole(NEWEST)}`);
}

export function postsOf(db: Db, did: string): Promise<TimelinePost[]> {
  return db.many(sql`
    ${selectPosts} where r.did = ${did} and r.collection = ${POST_COLLECTION}
    order by r.indexed_at desc, r.rkey desc limit ${sql.whole(NEWEST)}`);
}

export function findPost(db: Db, did: string, rkey: string): Promise<TimelinePost | null> {
  return db.maybeOne(sql`
    ${selectPosts}
    where r.did = ${did} and r.collection = ${POST_COLLECTION} and r.rkey = ${rkey}`);
}

export function findAuthor(db: Db, did: string): Promise<Author | null> {
  return db.maybeOne(sql`
    select did, handle, display_name as "displayName", avatar from users where did = ${did}`);
}

const selectPosts = sql`
  select r.did, r.rkey, r.cid, r.record, r.indexed_at as "indexedAt", u.handle,
    u.display_name as "displayName", u.avatar
  from local_records r left join users u on u.did = r.did`;
