import { POST_STATUSES } from '@meridian/contract/posts';
import type { PostStatus, SortOrder } from '@meridian/contract/posts';
import { postsOfUser } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import { pageStart, readPage } from '../../lists/read-page.ts';
import type { Page, PageRequest } from '../../lists/read-page.ts';
import { LATEST_SCHEDULE } from '../posts/posts-list.store.ts';
import type { ComposedPost } from './compose-post.ts';

export type MyPostRow = {
  id: string;
  content: string;
  embed: unknown;
  languages: string[];
  reply_to: string | null;
  thread: unknown;
  status: PostStatus;
  scheduled_at: string;
  created_at: string;
  executed_at: string | null;
  at_uri: string | null;
  at_rkey: string | null;
  hold: string | null;
  cause: string | null;
  error_msg: string | null;
  version: number;
  retry_of: string | null;
  retried_as: string | null;
  /** A record of it was written down to be sent, so its text is settled. */
  is_journalled: boolean;
};

type ListedRow = MyPostRow & { bytes: number };

const COLUMNS = sql`t.id, t.content, t.embed, t.languages, t.reply_to, t.thread, t.status,
  t.scheduled_at, t.created_at, t.executed_at, t.at_uri, t.at_rkey, t.hold, t.cause,
  t.error_msg, t.version,
  (select o.id from posts o where o.id = t.retry_of) as retry_of,
  (select r.id from posts r where r.retry_of = t.id) as retried_as,
  exists (select from deliveries d where d.post_id = t.id) as is_journalled`;

export async function findMyPost(db: Db, userId: string, id: string): Promise<MyPostRow | null> {
  return db.maybeOne<MyPostRow>(sql`
    select ${COLUMNS} from posts t where t.id = ${id} and t.user_id = ${userId}`);
}

/** A thread with described pictures is up to 2 MB, so a hundred posts are not read at once. */
const POSTS_AT_ONCE = 20;
/** A page ends early when it holds so much; its cursors lead on. */
const PAGE_MAX_BYTES = 8_000_000;

export async function listMyPosts(
  db: Db,
  userId: string,
  request: PageRequest & { status?: PostStatus | undefined; order: SortOrder },
): Promise<Page<MyPostRow>> {
  const { status, order } = request;
  const isOfStatus = status === undefined ? sql`true` : sql`status = ${status}`;
  const query = {
    keyset: { ...LATEST_SCHEDULE, order },
    total: postsOfUser(userId, status === undefined ? POST_STATUSES : [status]),
    table: sql`posts`,
    condition: sql`user_id = ${userId} and ${isOfStatus}`,
    columns: sql`${COLUMNS}, octet_length(concat(t.embed, t.thread)) as bytes`,
  };
  const { isBackwards } = pageStart(query.keyset, request);
  const side = isBackwards ? 'previous' : 'next';
  const read = (from: PageRequest) =>
    readPage<ListedRow>(db, query, { ...from, limit: Math.min(from.limit, POSTS_AT_ONCE) });
  const page = await read(request);
  for (let { rows } = page; rows.length > 0;) {
    const cursor = page.cursors[side];
    const limit = request.limit - page.rows.length;
    const bytes = page.rows.reduce((sum, row) => sum + row.bytes, 0);
    if (cursor === null || limit === 0 || bytes > PAGE_MAX_BYTES) break;
    const more = await read({ cursor, offset: 0, limit });
    ({ rows } = more);
    page.rows = isBackwards ? [...rows, ...page.rows] : [...page.rows, ...rows];
    page.cursors[side] = more.cursors[side];
  }
  return page;
}

/** What the functions of `meridian_api` tell of a refusal. */
export type Outcome = {
  result: string;
  limit_name: string | null;
  allowed: number | null;
  used: number | null;
  ends_at: string | null;
};
export type Scheduled = Outcome & { post_id: string | null };

const jsonOf = (value: object | null) => (value === null ? null : sql.json(value));
const contentOf = (post: ComposedPost) => sql`
  facets => ${jsonOf(post.facets)}::jsonb, embed => ${jsonOf(post.embed)}::jsonb,
  languages => ${post.languages}::text[], reply_to => ${post.replyTo}::text,
  thread => ${jsonOf(post.thread)}::jsonb`;

/** With an id that is already a post of this person, that one. A deleted one that was journalled is refused. */
export async function schedulePost(
  tx: Db,
  userId: string,
  post: ComposedPost,
  at: string,
  id: string | null,
): Promise<Scheduled> {
  return tx.one<Scheduled>(sql`
    select * from meridian_api.schedule_post(${userId}::uuid, ${post.content}::text,
      ${at}::timestamptz, ${contentOf(post)}, idempotency_key => ${id}::uuid)`);
}

export async function editPost(
  tx: Db,
  { userId, id, expected }: { userId: string; id: string; expected: ExpectedVersions },
  post: ComposedPost,
  at: string,
): Promise<Outcome> {
  // The function takes one version, and decides under its lock. No version is 0, so that fits nothing.
  const version = sql`case when ${expected}::bigint[] is not null then coalesce((
    select version from posts
    where id = ${id} and user_id = ${userId} and ${isExpected(expected)}), 0) end`;
  return tx.one<Outcome>(sql`
    select * from meridian_api.edit_post(${userId}::uuid, ${id}::uuid, ${post.content}::text,
      ${at}::timestamptz, ${contentOf(post)}, expected_version => ${version})`);
}

/** The failed post again, as a new one that is due now. Null when it is gone or failed no more. */
export async function scheduleRetry(tx: Db, userId: string, id: string): Promise<Scheduled | null> {
  const scheduled = await tx.maybeOne<Scheduled>(sql`
    select s.* from posts p, meridian_api.schedule_post(p.user_id, p.content, now(), p.facets, p.embed,
      p.languages, p.reply_to, p.thread) as s
    where p.id = ${id} and p.user_id = ${userId} and (p.status = 'FAILED') is true
      and p.at_uri is null`);
  const retryId = scheduled?.post_id ?? null;
  // One retry of a post: the unique index decides between two at once.
  if (retryId !== null) {
    await tx.execute(sql`update posts set retry_of = ${id} where id = ${retryId}`);
  }
  return scheduled;
}

export async function cancelPost(db: Db, userId: string, id: string): Promise<string> {
  const { result } = await db.one<{ result: string }>(sql`
    select meridian_api.cancel_post(${userId}, ${id}) as result`);
  return result;
}

/** False when there is none, or it is being published. */
export async function deletePost(db: Db, userId: string, id: string): Promise<boolean> {
  const deleted = await db.execute(sql`
    delete from posts
    where id = ${id} and user_id = ${userId} and (status <> 'PROCESSING') is true`);
  return deleted > 0;
}
