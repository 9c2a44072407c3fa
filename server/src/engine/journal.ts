import type { RecordWrite } from '../network/network.ts';
import type { Locked } from '../db/batch.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ClaimedPost } from './claim.ts';

export type Journalled = {
  postId: string;
  writes: RecordWrite[];
  journalledAt: number;
  /** An earlier attempt may have sent something, at the earliest at `firstSentAt`. */
  maybeSent: boolean;
  firstSentAt: number;
  /** An attempt that only waited made no call, and counts no failure. */
  failures: number;
  faults: number;
};

type Row = Pick<Journalled, 'failures' | 'faults'> & {
  post_id: string;
  writes: RecordWrite[] | null;
  journalled_ms: number;
  sent_ms: number | null;
  unsent_through: number;
};

const COLUMNS = sql`post_id, unsent_through,
  (extract(epoch from journalled_at) * 1000)::float8 as journalled_ms`;

export type Entry = { post: ClaimedPost; writes: RecordWrite[] };

// The records are committed before the first byte is sent, and an earlier attempt's record wins.
// A deleted post gets none, and is not to be sent; with `skip`, one that is locked gets none yet.
export async function journal(
  db: Db,
  entries: readonly Entry[],
  locked: Locked = 'wait',
): Promise<Map<string, Journalled>> {
  const rows = await db.many<Row>(journalStatement(entries, locked));
  const posts = entries.map(({ post }) => post);
  const own = new Map(entries.map(({ post, writes }) => [post.id, writes]));
  const found = byPost(posts, rows, own);
  const others = posts.filter(({ id }) => !found.has(id));
  return others.length === 0 ? found : new Map([...found, ...(await readJournal(db, others))]);
}

/** The lock delays a deletion of the post until its entry is committed and can be found. */
export function journalStatement(entries: readonly Entry[], locked: Locked) {
  return sql`
    insert into deliveries (post_id, user_id, did, host, writes, unsent_through)
    select f.* from unnest(
      ${entries.map(({ post }) => post.id)}::uuid[], ${entries.map(({ post }) => post.userId)}::uuid[],
      ${entries.map(({ post }) => post.did)}::text[], ${entries.map(({ post }) => post.host)}::text[],
      ${entries.map(({ writes }) => sql.json(writes))}::json[],
      ${entries.map(({ post }) => post.attempt - 1)}::integer[]
    ) as f (post_id, user_id, did, host, writes, unsent_through)
    join posts p on p.id = f.post_id
    for key share of p ${locked === 'skip' ? sql`skip locked` : sql``}
    on conflict (post_id) do nothing
    returning ${COLUMNS}, null as writes, null as sent_ms, 0 as failures, 0 as faults`;
}

export async function readJournal(
  db: Db,
  posts: readonly ClaimedPost[],
): Promise<Map<string, Journalled>> {
  const rows = await db.many<Row>(sql`
    select ${COLUMNS}, writes, a.failures, a.faults,
      (extract(epoch from a.sent_at) * 1000)::float8 as sent_ms
    from deliveries d, lateral (
      select count(*)::integer as failures, count(*) filter (where cause = 'internal')::integer as faults,
        coalesce(min(started_at) filter (where attempt = d.unsent_through + 1),
          max(ended_at) filter (where attempt <= d.unsent_through)) as sent_at
      from delivery_attempts where post_id = d.post_id) as a
    where post_id = any(${posts.map(({ id }) => id)}::uuid[])`);
  return byPost(posts, rows);
}

export async function countFaults(db: Db, postId: string): Promise<number> {
  const { faults } = await db.one<{ faults: number }>(sql`
    select count(*)::integer as faults from delivery_attempts
    where post_id = ${postId} and cause = 'internal'`);
  return faults;
}

function byPost(
  posts: readonly ClaimedPost[],
  rows: readonly Row[],
  own: ReadonlyMap<string, RecordWrite[]> = new Map(),
): Map<string, Journalled> {
  const attempts = new Map(posts.map(({ id, attempt }) => [id, attempt]));
  return new Map(
    rows.map((row) => {
      const { post_id: postId, journalled_ms: journalledAt, failures, faults } = row;
      const maybeSent = row.unsent_through !== (attempts.get(postId) ?? 0) - 1;
      // A picture that was uploaded before the journal entry was made is no send.
      const firstSentAt = Math.max(journalledAt, row.sent_ms ?? 0);
      const writes = row.writes ?? own.get(postId) ?? [];
      return [postId, { postId, writes, journalledAt, maybeSent, firstSentAt, failures, faults }];
    }),
  );
}
