import { cidOfRecord } from '../network/identifiers.ts';
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
  /** How many of them were faults of our own. */
  faults: number;
};

/** Another program that publishes (docs/integration.md) journals no CID. */
type JournalledWrite = Omit<RecordWrite, 'cid'> & { cid?: string };

type Row = Pick<Journalled, 'failures' | 'faults'> & {
  post_id: string;
  writes: JournalledWrite[];
  journalled_ms: number;
  unsent_through: number;
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
    on conflict (post_id) do nothing returning ${COLUMNS}, 0 as failures, 0 as faults`);
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
    select ${COLUMNS}, a.failures, a.faults
    from deliveries d, lateral (
      select count(*)::integer as failures, count(*) filter (where cause = 'internal')::integer as faults
      from delivery_attempts where post_id = d.post_id) as a
    where post_id = any(${posts.map(({ id }) => id)}::uuid[])`);
  return byPost(posts, rows);
}

/** Faults of our own while the post was delivered, also before it had a journal entry. */
export async function countFaults(db: Db, postId: string): Promise<number> {
  const { faults } = await db.one<{ faults: number }>(sql`
    select count(*)::integer as faults from delivery_attempts
    where post_id = ${postId} and cause = 'internal'`);
  return faults;
}

const DELETED_BATCH = sql.whole(50);

/**
 * Posts that were deleted while a worker had them, and that it never settled: they may be public. The
 * lease keeps other workers from looking at the same time.
 */
export async function claimDeleted(db: Db, leaseMs: number) {
  type Deleted = Pick<ClaimedPost, 'id' | 'did' | 'host'> &
    Pick<Journalled, 'journalledAt'> & { writes: JournalledWrite[] };
  const rows = await db.many<Deleted>(sql`
    with due as materialized (
      select post_id from deliveries where look_at <= now()
      order by look_at limit ${DELETED_BATCH} for no key update skip locked)
    update deliveries d set look_at = now() + ${leaseMs} * interval '1 millisecond'
    from due where d.post_id = due.post_id
    returning d.post_id as id, d.did, d.host, d.writes,
      (extract(epoch from d.journalled_at) * 1000)::float8 as "journalledAt"`);
  return rows.map(({ writes, journalledAt, ...post }) => ({
    post: { ...post, attempt: 0 },
    entry: { writes: withCids(writes), journalledAt },
  }));
}

function byPost(posts: readonly ClaimedPost[], rows: readonly Row[]): Map<string, Journalled> {
  const attempts = new Map(posts.map(({ id, attempt }) => [id, attempt]));
  return new Map(
    rows.map(({ post_id: postId, journalled_ms: journalledAt, unsent_through, ...row }) => {
      const maybeSent = unsent_through !== (attempts.get(postId) ?? 0) - 1;
      const writes = withCids(row.writes);
      return [postId, { postId, journalledAt, maybeSent, ...row, writes }];
    }),
  );
}

function withCids(writes: readonly JournalledWrite[]): RecordWrite[] {
  return writes.map(({ cid, ...write }) => ({ ...write, cid: cid ?? cidOfRecord(write.record) }));
}
