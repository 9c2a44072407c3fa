import type { RecordWrite } from '../network/network.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ClaimedPost } from './claimed-post.ts';

/** What is to be sent for a post, the same at every attempt. */
export type Journalled = {
  postId: string;
  writes: RecordWrite[];
  /** Milliseconds of the database's clock. */
  journalledAt: number;
  /** Whether an earlier attempt may have sent something. */
  maybeSent: boolean;
  /** Calls of earlier attempts that failed; an attempt that was put off made none. */
  failures: number;
};

type Row = {
  post_id: string;
  writes: RecordWrite[];
  journalled_ms: number;
  unsent_through: number;
  failures: number;
};

const COLUMNS = sql`post_id, writes, unsent_through,
  (extract(epoch from journalled_at) * 1000)::float8 as journalled_ms`;

export type Entry = { post: ClaimedPost; writes: RecordWrite[] };

/** Commits the records before the first byte is sent. An earlier attempt's record wins. */
export async function journal(db: Db, entries: readonly Entry[]): Promise<Map<string, Journalled>> {
  const rows = await db.many<Row>(sql`
    insert into deliveries (post_id, user_id, did, host, writes, unsent_through)
    select * from unnest(
      ${entries.map(({ post }) => post.id)}::uuid[], ${entries.map(({ post }) => post.userId)}::uuid[],
      ${entries.map(({ post }) => post.did)}::text[], ${entries.map(({ post }) => post.host)}::text[],
      ${entries.map(({ writes }) => sql.json(writes))}::json[],
      ${entries.map(({ post }) => post.attempt - 1)}::integer[])
    on conflict (post_id) do nothing returning ${COLUMNS}, 0 as failures`);
  const posts = entries.map(({ post }) => post);
  const found = byPost(posts, rows);
  const others = posts.filter(({ id }) => !found.has(id));
  return others.length === 0 ? found : new Map([...found, ...(await readJournal(db, others))]);
}

export async function readJournal(
  db: Db,
  posts: readonly ClaimedPost[],
): Promise<Map<string, Journalled>> {
  const rows = await db.many<Row>(sql`
    select ${COLUMNS},
      (select count(*)::integer from delivery_attempts a where a.post_id = d.post_id) as failures
    from deliveries d where post_id = any(${posts.map(({ id }) => id)}::uuid[])`);
  return byPost(posts, rows);
}

function byPost(posts: readonly ClaimedPost[], rows: readonly Row[]): Map<string, Journalled> {
  const attempts = new Map(posts.map(({ id, attempt }) => [id, attempt]));
  return new Map(
    rows.map(({ post_id: postId, journalled_ms: journalledAt, unsent_through, ...row }) => {
      const maybeSent = unsent_through !== (attempts.get(postId) ?? 0) - 1;
      return [postId, { postId, journalledAt, maybeSent, ...row }];
    }),
  );
}
