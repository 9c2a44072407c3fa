import { FILTERED_TOTAL_MAX, POST_STATUSES } from '@meridian/contract/posts';
import type { ListedPost, Post, PostSort, PostStatus, SortOrder } from '@meridian/contract/posts';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext } from '../../audit/audit.store.ts';
import { postsOfUser, totalOf } from '../../counters/counters.ts';
import type { Db } from '../../db/database.ts';
import { indexedColumns, orderBy, pageStart, readPage } from '../../db/page.ts';
import type { Keyset, Page, PageQuery, PageRequest, SortKey } from '../../db/page.ts';
import { escapeLike, isExpected, sql } from '../../db/sql.ts';
import type { ExpectedVersions, Sql } from '../../db/sql.ts';
import { indexedPart } from '../users/users.store.ts';

export type PostListRequest = PageRequest & {
  status: PostStatus | undefined;
  sort: PostSort;
  order: SortOrder;
};
export type PostsPage = Page<ListedPost> & { totalIsCapped?: true };

const POST_COLUMNS = sql`
  t.id, t.user_id, t.content, t.status, t.scheduled_at, t.created_at, t.updated_at,
  t.executed_at, t.at_uri, t.at_rkey, t.error_msg, t.languages, t.version`;

const LISTED_COLUMNS = sql`${POST_COLUMNS},
  u.did as user_did, u.handle as user_handle, u.display_name as user_display_name,
  u.avatar as user_avatar`;
type ListedRow = Omit<ListedPost, 'user'> & {
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
  return { rows: rows.map(withUser), ...page };
}

function withUser(row: ListedRow): ListedPost {
  const user = {
    id: row.user_id,
    did: row.user_did,
    handle: row.user_handle,
    display_name: row.user_display_name,
    avatar: row.user_avatar,
  };
  return { ...row, user };
}

/** The status is a range of one value: with `=` the planner may read an index without the status. */
function allPosts(request: PostListRequest): { keyset: Keyset; condition: Sql } {
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

function isOfStatus({ status }: Pick<PostListRequest, 'status'>): Sql {
  return status === undefined ? sql`true` : sql`status = ${status}`;
}

export function statusesOf({ status }: Pick<PostListRequest, 'status'>): readonly PostStatus[] {
  return status === undefined ? POST_STATUSES : [status];
}

const COLUMNS = sql`${POST_COLUMNS},
  json_build_object('id', u.id, 'did', u.did, 'handle', u.handle,
                    'display_name', u.display_name, 'avatar', u.avatar) as "user",
  t.facets, t.embed, t.hold, t.cause, t.reply_to, t.thread,
  -- Only what can be opened: the other post may be deleted.
  (select o.id from posts o where o.id = t.retry_of) as retry_of,
  (select r.id from posts r where r.retry_of = t.id) as retried_as`;
const STORED = sql`id, user_id, content, facets, embed, languages, status, scheduled_at, created_at,
  updated_at, executed_at, at_uri, at_rkey, error_msg, version, hold, cause, reply_to, thread, retry_of`;

export async function findPost(db: Db, id: string): Promise<Post | null> {
  return db.maybeOne<Post>(sql`
    select ${COLUMNS} from posts t join users u on u.id = t.user_id where t.id = ${id}`);
}

type PostState = { status: PostStatus; version: number };

export async function findState(db: Db, id: string): Promise<PostState | null> {
  return db.maybeOne<PostState>(sql`select status, version from posts where id = ${id}`);
}

type StatusChange = {
  from: readonly PostStatus[];
  to: PostStatus;
  expected: ExpectedVersions;
};

/** The time, uri and error that the execution left stay true for every writer of the status. */
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
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed t join users u on u.id = t.user_id`);
}

/** Nothing is ever removed from the audit log, so it holds a hash of the member's text instead. */
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
    audited as (${entryOf(audit)})
    select from changed`);
  return deleted > 0;
}

type Found = Pick<PostsPage, 'total' | 'totalIsCapped'> & {
  pattern: Sql;
  /** Reading an array of a thousand ids takes longer than finding them, so they come as text. */
  ids: string | null;
  isFew: boolean;
};

const MANY_USERS = 1_000;
const FEW_USERS = 300;
/** After so many index entries read in vain the posts are gathered user by user. */
const PATIENCE = 20_000;

/** The page of few users is among the first posts of each, that of more among the next posts of all. */
export async function listPostsOfUsers(
  db: Db,
  text: string,
  request: PostListRequest,
): Promise<PostsPage> {
  const users = await findUsersBy(db, text, request);
  if (users.total === 0) return { rows: [], total: 0, cursors: { next: null, previous: null } };
  const pageOf = async (selection: PostSelection) => ({
    ...(await postsPage(db, selection, request)),
    ...(users.totalIsCapped && { totalIsCapped: true as const }),
  });
  if (!users.isFew) {
    const page = await pageOf(amongTheNext(users, request));
    const { isBackwards } = pageStart(keysetOf(request), request);
    // Without one row more than the page holds, there may be others past those that were read.
    const further = isBackwards ? page.cursors.previous : page.cursors.next;
    if (further !== null || users.total <= page.rows.length) return page;
  }
  return pageOf(userByUser(users, request));
}

export async function findUsersBy(
  db: Db,
  text: string,
  request: Pick<PostListRequest, 'status'>,
): Promise<Found> {
  const pattern = patternOf(text);
  const part = patternOf(indexedPart(text));
  const found = await db.one<{ ids: string; users: number; total: number }>(sql`
    select ids::text as ids, cardinality(ids) as users, case when cardinality(ids) <= ${MANY_USERS} then
      ${changesOf(pattern, request)} + coalesce((
        select sum((select posts_in(${statusesOf(request)}, c) from user_post_counters c where c.user_id = one.id))
        from unnest(ids) as one (id)), 0) end as total
    from (select find_people(${pattern}, ${part}, ${MANY_USERS + 1}) as ids offset 0) as found`);
  if (found.users <= MANY_USERS) {
    const { ids, users, total } = found;
    return { pattern, ids, isFew: users <= FEW_USERS, total };
  }
  const { total } = await db.one<{ total: number }>(sql`
    select changes + posts_of_people(${pattern}, ${statusesOf(request)}, ${FILTERED_TOTAL_MAX} - changes) as total
    from (select ${changesOf(pattern, request)}::bigint as changes offset 0) as pending`);
  const many = { pattern, ids: null, isFew: false };
  return total > FILTERED_TOTAL_MAX
    ? { ...many, total: FILTERED_TOTAL_MAX, totalIsCapped: true }
    : { ...many, total };
}

/** Each delta is a lookup: joined, all could be compared with all users. */
function changesOf(pattern: Sql, request: Pick<PostListRequest, 'status'>): Sql {
  return sql`coalesce((
    select sum(d.n) from pending_counters d
    where d.status = any(${statusesOf(request)})
      and (select u.search_text like ${pattern} from users u where u.id = d.user_id)), 0)`;
}

function patternOf(text: string): Sql {
  return sql`lower(${`%${escapeLike(text)}%`})`;
}

function amongTheNext({ ids, pattern, total }: Found, request: PostListRequest): PostSelection {
  const { keyset, condition } = allPosts(request);
  const start = pageStart(keyset, request);
  return {
    keyset,
    total: sql`${total}::bigint`,
    source: sql`(
      select ${sql.join(indexedColumns(keyset))}, user_id from posts
      where ${condition} and ${start.condition}
      order by ${orderBy(start.walked)} limit ${PATIENCE + start.skipped}) as next_posts`,
    // A join would lose the order of the posts, and read all of them before it sorts.
    condition:
      ids === null
        ? sql`(select u.search_text like ${pattern} from users u where u.id = user_id)`
        : sql`(user_id in (select unnest(${ids}::uuid[]))) is true`,
  };
}

function userByUser({ ids, pattern, total }: Found, request: PostListRequest): PostSelection {
  const users =
    ids === null
      ? sql`(select id from users where search_text like ${pattern})`
      : sql`unnest(${ids}::uuid[])`;
  const keyset = keysetOf(request);
  const start = pageStart(keyset, request);
  return {
    keyset,
    total: sql`${total}::bigint`,
    source: sql`(
      select first_posts.* from ${users} as one (id) cross join lateral (
        select ${sql.join(indexedColumns(keyset))} from posts
        where user_id = one.id and ${isOfStatus(request)} and ${start.condition}
        order by ${orderBy(start.walked)}
        limit ${start.skipped + request.limit + 1}) as first_posts) as gathered`,
    condition: sql`true`,
  };
}
