import type { RecordWrite } from '../network/network.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ClaimedPost } from './claimed-post.ts';
import { readWrites } from './journalled-writes.ts';
import type { Locked } from './settle.store.ts';

/** What is to be sent for a post, the same at every attempt. */
export type Journalled = {
  postId: string;
  writes: RecordWrite[];
  /** Milliseconds of the database's clock. */
  journalledAt: number;
  /** Whether an earlier attempt may have sent something, and from when on at the earliest. */
  maybeSent: boolean;
  firstSentAt: number;
  /** Calls of earlier attempts that failed; an attempt that was put off made none. */
  failures: number;
  /** How many of them were faults of our own. */
  faults: number;
};

type Row = Pick<Journalled, 'failures' | 'faults'> & {
  post_id: string;
  writes: unknown;
  journalled_ms: number;
  /** Of the first attempt that may have sent something, or the end of the last that did not. */
  sent_ms: number | null;
  unsent_through: number;
};

const COLUMNS = sql`post_id, unsent_through,
  (extract(epoch from journalled_at) * 1000)::float8 as journalled_ms`;

export type Entry = { post: ClaimedPost; writes: RecordWrite[] };

/**
 * Commits the records before the first byte is sent. An earlier attempt's record wins. A post that is
 * deleted meanwhile gets none, and is not to be sent; with `skip`, one that another transaction has locked
 * gets none yet.
 */
export async function journal(
  db: Db,
  entries: readonly Entry[],
  locked: Locked = 'wait',
): Promise<Map<string, Journalled>> {
  const rows = await db.many<Omit<Row, 'writes'>>(journalStatement(entries, locked));
  const posts = entries.map(({ post }) => post);
  // Read back only where an earlier attempt's record won.
  const own = new Map(entries.map(({ post, writes }) => [post.id, writes]));
  const found = byPost(posts, rows, (row) => own.get(row.post_id) ?? []);
  const others = posts.filter(({ id }) => !found.has(id));
  return others.length === 0 ? found : new Map([...found, ...(await readJournal(db, others))]);
}

/** The lock keeps the post until its entry is committed: deleting it then finds the entry. */
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
    on conflict (post_id) do nothing returning ${COLUMNS}, null as sent_ms, 0 as failures, 0 as faults`;
}

/** The most that one statement reads; another program may write a megabyte into each entry. */
const READ_BYTES = sql.whole(4_000_000);

export async function readJournal(
  db: Db,
  posts: readonly ClaimedPost[],
): Promise<Map<string, Journalled>> {
  const found = new Map<string, Journalled>();
  for (let left = posts; left.length > 0;) {
    const rows = await readEntries(db, left);
    const read = rows.filter(({ is_read }) => is_read);
    for (const [id, entry] of byPost(left, read, ({ writes }) => readWrites(writes))) {
      found.set(id, entry);
    }
    const others = new Set(rows.filter(({ is_read }) => !is_read).map(({ post_id }) => post_id));
    left = left.filter(({ id }) => others.has(id));
  }
  return found;
}

function readEntries(
  db: Db,
  posts: readonly ClaimedPost[],
): Promise<(Row & { is_read: boolean })[]> {
  return db.many(sql`
    with sized as materialized (
      select post_id, sum(octet_length(writes::text)) over from_first <= ${READ_BYTES}
        or row_number() over from_first = 1 as is_read
      from deliveries where post_id = any(${posts.map(({ id }) => id)}::uuid[])
      window from_first as (order by post_id))
    select ${COLUMNS}, is_read, case when is_read then writes end as writes, a.failures, a.faults,
      (extract(epoch from a.sent_at) * 1000)::float8 as sent_ms
    from sized join deliveries d using (post_id), lateral (
      select count(*)::integer as failures, count(*) filter (where cause = 'internal')::integer as faults,
        coalesce(min(started_at) filter (where attempt = d.unsent_through + 1),
          max(ended_at) filter (where attempt <= d.unsent_through)) as sent_at
      from delivery_attempts where post_id = d.post_id) as a`);
}

/** Faults of our own while the post was delivered, also before it had a journal entry. */
export async function countFaults(db: Db, postId: string): Promise<number> {
  const { faults } = await db.one<{ faults: number }>(sql`
    select count(*)::integer as faults from delivery_attempts
    where post_id = ${postId} and cause = 'internal'`);
  return faults;
}

const DELETED_BATCH = sql.whole(50);
/** The host is not asked about a larger entry, which only another program writes. */
const LOOKED_AT_BYTES = sql.whole(200_000);

/**
 * Posts that were deleted while a worker had them, and that it never settled: they may be public. The
 * lease keeps other workers from looking at the same time.
 */
export async function claimDeleted(db: Db, leaseMs: number) {
  type Deleted = Pick<ClaimedPost, 'id' | 'did' | 'host'> &
    Pick<Journalled, 'journalledAt'> & { writes: unknown };
  const rows = await db.many<Deleted>(sql`
    with due as materialized (
      select post_id from deliveries where look_at <= now()
      order by look_at limit ${DELETED_BATCH} for no key update skip locked)
    update deliveries d set look_at = now() + ${leaseMs} * interval '1 millisecond'
    from due where d.post_id = due.post_id
    returning d.post_id as id, d.did, d.host,
      case when octet_length(d.writes::text) <= ${LOOKED_AT_BYTES} then d.writes end as writes,
      (extract(epoch from d.journalled_at) * 1000)::float8 as "journalledAt"`);
  return rows.map(({ writes, journalledAt, ...post }) => ({
    post: { ...post, attempt: 0 },
    entry: { writes: readWrites(writes), journalledAt },
  }));
}

function byPost<Found extends Omit<Row, 'writes'>>(
  posts: readonly ClaimedPost[],
  rows: readonly Found[],
  writesOf: (row: Found) => RecordWrite[],
): Map<string, Journalled> {
  const attempts = new Map(posts.map(({ id, attempt }) => [id, attempt]));
  return new Map(
    rows.map((row) => {
      const { post_id: postId, journalled_ms: journalledAt, failures, faults } = row;
      const maybeSent = row.unsent_through !== (attempts.get(postId) ?? 0) - 1;
      // A picture that was uploaded before the journal entry was made is no send.
      const firstSentAt = Math.max(journalledAt, row.sent_ms ?? 0);
      const writes = writesOf(row);
      return [postId, { postId, writes, journalledAt, maybeSent, firstSentAt, failures, faults }];
    }),
  );
}
