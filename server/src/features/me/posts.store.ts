import { POST_STATUSES } from '@meridian/contract/posts';
import type { PostStatus, SortOrder } from '@meridian/contract/posts';
import { postsOfUser } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import { pageStart, readPage } from '../../lists/read-page.ts';
import type { Page, PageRequest } from '../../lists/read-page.ts';
import { LATEST_SCHEDULE } from '../posts/posts.store.ts';
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

const jsonOf = (value: object | null) => (value === null ? null : sql.json(value));

/** An id may be taken by a post of the member, by another post, or by the journal of a deleted one. */
export async function findTaken(
  tx: Db,
  userId: string,
  id: string,
): Promise<{ isOwn: boolean } | null> {
  return tx.maybeOne(sql`
    select user_id = ${userId} as "isOwn" from posts where id = ${id}
    union all
    select false from deliveries where post_id = ${id} limit 1`);
}

export async function insertPost(
  tx: Db,
  userId: string,
  id: string,
  { content, facets, embed, languages, replyTo, thread }: ComposedPost,
  at: string,
): Promise<void> {
  await tx.execute(sql`
    insert into posts (id, user_id, content, facets, embed, languages, reply_to, thread, scheduled_at)
    values (${id}, ${userId}, ${content}, ${jsonOf(facets)}, ${jsonOf(embed)}, ${languages}, ${replyTo},
      ${jsonOf(thread)}, ${at})`);
}

/** Null: the member has no such post. Locked, so that the engine does not take it meanwhile. */
export async function lockMyPost(
  tx: Db,
  { userId, id, expected }: { userId: string; id: string; expected: ExpectedVersions },
  at: string,
): Promise<{ isExpected: boolean; isMoved: boolean } | null> {
  return tx.maybeOne(sql`
    select ${isExpected(expected)} as "isExpected", scheduled_at <> ${at}::timestamptz as "isMoved"
    from posts where id = ${id} and user_id = ${userId} for no key update`);
}

/** False when it does not wait any more, or a record of it was written down. */
export async function editPost(
  tx: Db,
  id: string,
  { content, facets, embed, languages, replyTo, thread }: ComposedPost,
  at: string,
): Promise<boolean> {
  const edited = await tx.execute(sql`
    update posts p set content = n.content, facets = n.facets, embed = n.embed, languages = n.languages,
      reply_to = n.reply_to, thread = n.thread, scheduled_at = n.scheduled_at, updated_at = now(),
      -- A new time is planned by the trigger; at the same time pictures may need an earlier claim.
      claim_at = case when p.scheduled_at = n.scheduled_at and p.hold is null
        then first_claim_at(n.scheduled_at, n.embed, n.reply_to, n.thread) else p.claim_at end
    from (select ${content}::text as content, ${jsonOf(facets)}::jsonb as facets,
            ${jsonOf(embed)}::jsonb as embed, ${languages}::text[] as languages,
            ${replyTo}::text as reply_to, ${jsonOf(thread)}::jsonb as thread,
            ${at}::timestamptz as scheduled_at) as n
    where p.id = ${id} and p.status = 'PENDING'
      and not exists (select from deliveries d where d.post_id = p.id)`);
  return edited > 0;
}

/** The failed post again, as a new one that is due now. Null when it is gone or failed no more. */
export async function insertRetry(tx: Db, userId: string, id: string): Promise<string | null> {
  // One retry of a post: the unique index decides between two at once.
  const retry = await tx.maybeOne<{ id: string }>(sql`
    insert into posts (id, user_id, content, facets, embed, languages, reply_to, thread, scheduled_at, retry_of)
    select new_row_id(), user_id, content, facets, embed, languages, reply_to, thread, now(), id
    from posts where id = ${id} and user_id = ${userId} and (status = 'FAILED') is true and at_uri is null
    returning id`);
  return retry?.id ?? null;
}

/** False when there is none, or it has an end already. */
export async function cancelPost(db: Db, userId: string, id: string): Promise<boolean> {
  const cancelled = await db.execute(sql`
    update posts set status = 'CANCELLED', updated_at = now()
    where id = ${id} and user_id = ${userId} and status in ('PENDING', 'PROCESSING')`);
  return cancelled > 0;
}

/** False when there is none, or it is being published. */
export async function deletePost(db: Db, userId: string, id: string): Promise<boolean> {
  const deleted = await db.execute(sql`
    delete from posts
    where id = ${id} and user_id = ${userId} and (status <> 'PROCESSING') is true`);
  return deleted > 0;
}
