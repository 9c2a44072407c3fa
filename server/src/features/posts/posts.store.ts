import { POST_STATUSES } from '@meridian/contract/posts';
import type { ListedPost, Post, PostSort, PostStatus, SortOrder } from '@meridian/contract/posts';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import { postsOfUser, totalOf } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import type { Keyset, SortKey } from '../../lists/keyset.ts';
import { readPage } from '../../lists/read-page.ts';
import type { Page, PageQuery, PageRequest } from '../../lists/read-page.ts';

export type PostListRequest = PageRequest & {
  status: PostStatus | undefined;
  sort: PostSort;
  order: SortOrder;
};
/** `totalIsCapped`: there are more than `total`. */
export type PostsPage = Page<ListedPost> & { totalIsCapped?: true };

const POST_COLUMNS = sql`
  t.id, t.user_id, t.content, t.status, t.scheduled_at, t.created_at, t.updated_at,
  t.executed_at, t.at_uri, t.at_rkey, t.error_msg, t.languages, t.version`;

/** A post `t` and its author `u`. */
const COLUMNS_WITH_AUTHOR = sql`${POST_COLUMNS},
  json_build_object('id', u.id, 'did', u.did, 'handle', u.handle,
                    'display_name', u.display_name, 'avatar', u.avatar) as "user"`;

/** The same for a page: making and reading twenty pieces of JSON would take about a third of its time. */
const LISTED_COLUMNS = sql`${POST_COLUMNS}, null as "user",
  u.did as user_did, u.handle as user_handle, u.display_name as user_display_name,
  u.avatar as user_avatar`;
type ListedRow = ListedPost & {
  user_did: string;
  user_handle: string;
  user_display_name: string | null;
  user_avatar: string | null;
};

const STATUS: SortKey = { column: sql`status`, type: 'text' };
const SCHEDULED: SortKey = { column: sql`scheduled_at`, type: 'time' };
const CREATED: SortKey = { column: sql`created_at`, type: 'time' };
const ID: SortKey = { column: sql`id`, type: 'id' };
const SORTS: Record<PostSort, readonly SortKey[]> = {
  status: [STATUS, SCHEDULED, ID],
  scheduled_at: [SCHEDULED, ID],
  created_at: [CREATED, ID],
};
export const LATEST_SCHEDULE: Keyset = { keys: SORTS.scheduled_at, order: 'desc' };

export async function listPosts(db: Db, request: PostListRequest): Promise<PostsPage> {
  const total = totalOf('posts', statusesOf(request));
  return postsPage(db, { ...allPosts(request), total }, request);
}

export async function listPostsOfUser(
  db: Db,
  userId: string,
  request: PostListRequest,
): Promise<PostsPage> {
  const selection = {
    keyset: keysetOf(request),
    total: postsOfUser(userId, statusesOf(request)),
    condition: sql`user_id = ${userId} and ${isOfStatus(request)}`,
  };
  return postsPage(db, selection, request);
}

export type PostSelection = Pick<PageQuery, 'keyset' | 'total' | 'condition' | 'source' | 'ctes'>;

export async function postsPage(
  db: Db,
  selection: PostSelection,
  request: PageRequest,
): Promise<PostsPage> {
  const query = {
    ...selection,
    table: sql`posts`,
    columns: LISTED_COLUMNS,
    joins: sql`join users u on u.id = t.user_id`,
  };
  const { rows, ...page } = await readPage<ListedRow>(db, query, request);
  return { rows: rows.map(withAuthor), ...page };
}

/** Into the place that the row has for it: another property would take as long as reading the row. */
function withAuthor(row: ListedRow): ListedPost {
  row.user = {
    id: row.user_id,
    did: row.user_did,
    handle: row.user_handle,
    display_name: row.user_display_name,
    avatar: row.user_avatar,
  };
  // The row itself: what the response's schema lacks is left out when it is serialized.
  return row;
}

/**
 * All posts, or those of one status in the order of an index that begins with it. The status is a
 * range of one value: of an equal one the planner knows that it orders nothing, and may read an index
 * without it, past all posts of other statuses until it has met enough of a rare one.
 */
export function allPosts(request: PostListRequest): { keyset: Keyset; condition: Sql } {
  const { status, sort } = request;
  const keyset = keysetOf(request);
  if (status === undefined) return { keyset, condition: sql`true` };
  const lead = { column: STATUS.column, value: status };
  return {
    keyset: sort === 'status' ? keyset : { ...keyset, lead },
    condition: sql`status between ${status} and ${status}`,
  };
}

export function keysetOf({ sort, order }: Pick<PostListRequest, 'sort' | 'order'>): Keyset {
  return { keys: SORTS[sort], order };
}

export function isOfStatus({ status }: Pick<PostListRequest, 'status'>): Sql {
  return status === undefined ? sql`true` : sql`status = ${status}`;
}

export function statusesOf({ status }: Pick<PostListRequest, 'status'>): readonly PostStatus[] {
  return status === undefined ? POST_STATUSES : [status];
}

const COLUMNS = sql`${COLUMNS_WITH_AUTHOR}, t.facets, t.embed, t.hold, t.cause,
  t.reply_to, t.thread,
  -- Only what can be opened: the other post may be deleted.
  (select o.id from posts o where o.id = t.retry_of) as retry_of,
  (select r.id from posts r where r.retry_of = t.id) as retried_as`;
const STORED = sql`id, user_id, content, facets, embed, languages, status, scheduled_at, created_at,
  updated_at, executed_at, at_uri, at_rkey, error_msg, version, hold, cause, reply_to, thread, retry_of`;

export async function findPost(db: Db, id: string): Promise<Post | null> {
  return db.maybeOne<Post>(sql`
    select ${COLUMNS} from posts t join users u on u.id = t.user_id where t.id = ${id}`);
}

export type PostState = { status: PostStatus; version: number };

export async function findState(db: Db, id: string): Promise<PostState | null> {
  return db.maybeOne<PostState>(sql`select status, version from posts where id = ${id}`);
}

export type StatusChange = {
  from: readonly PostStatus[];
  to: PostStatus;
  expected: ExpectedVersions;
};

/**
 * Null when there is no such post, or its status is not one of `from`, or its version is another
 * than expected. Nothing but the status
 * changes: what the execution left (time, uri, error) stays true for every writer of the status.
 */
export async function setStatus(
  db: Db,
  id: string,
  { from, to, expected }: StatusChange,
  audit: AuditContext,
): Promise<Post | null> {
  return db.maybeOne<Post>(sql`
    with old as (
      select id as key, jsonb_build_object('status', status) as was from posts
      where id = ${id} and status = any(${from}) and ${isExpected(expected)} for no key update),
    changed as (
      update posts set status = ${to}, version = version + 1, updated_at = now() from old where id = key
      returning ${STORED}, was, jsonb_build_object('status', status) as became),
    noted as (${entryOf(audit)})
    select ${COLUMNS} from changed t join users u on u.id = t.user_id`);
}

/**
 * Nothing is ever removed from the audit log, so it does not hold what people wrote. With the hash a
 * text that is kept elsewhere can be recognised as the deleted one.
 */
export const DELETED_POST = sql`jsonb_build_object(
  'user_id', user_id, 'status', status, 'scheduled_at', scheduled_at, 'created_at', created_at,
  'executed_at', executed_at, 'at_uri', at_uri,
  'content_sha256', encode(sha256(convert_to(content, 'UTF8')), 'hex'))`;

export async function deletePost(
  db: Db,
  id: string,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<boolean> {
  const deleted = await db.execute(sql`
    with changed as (
      delete from posts where id = ${id} and ${isExpected(expected)}
      returning id, ${DELETED_POST} as was, null::jsonb as became),
    noted as (${entryOf(audit)})
    select from changed`);
  return deleted > 0;
}
