import { POST_STATUSES } from '@meridian/contract/posts';
import type { ListedPost, PostSort, PostStatus, SortOrder } from '@meridian/contract/posts';
import { countedPage } from '../../counts/counted-page.ts';
import type { CountedPage } from '../../counts/counted-page.ts';
import { isOfStatus } from '../../counts/page-start.ts';
import type { ListOrder, Place } from '../../counts/page-start.ts';
import { totalOf } from '../../counts/totals.ts';
import type { Axis } from '../../counts/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export type PostPage = {
  status: PostStatus | undefined;
  sort: PostSort;
  order: SortOrder;
  limit: number;
  place: Place;
};
export type PostsPage = CountedPage<ListedPost>;

const POST_COLUMNS = sql`
  p.id, p.user_id, p.content, p.status, p.scheduled_at, p.created_at, p.updated_at,
  p.executed_at, p.at_uri, p.at_rkey, p.error_msg, p.version`;

/** What is shown of a post `p` and its author `u`. */
export const COLUMNS_WITH_AUTHOR = sql`${POST_COLUMNS},
  json_build_object('id', u.id, 'did', u.did, 'handle', u.handle,
                    'display_name', u.display_name, 'avatar', u.avatar) as "user"`;

/** The same for a page: making and reading twenty pieces of JSON would take about a third of its time. */
export const LISTED_COLUMNS = sql`${POST_COLUMNS},
  u.did as user_did, u.handle as user_handle, u.display_name as user_display_name,
  u.avatar as user_avatar`;
type ListedRow = Omit<ListedPost, 'user'> & {
  user_did: string;
  user_handle: string;
  user_display_name: string | null;
  user_avatar: string | null;
};

const SORTS: Record<PostSort, { axis: Axis; column: Sql; by: ListOrder['by'] }> = {
  status: { axis: 'posts.id', column: sql`status`, by: 'status' },
  scheduled_at: { axis: 'posts.scheduled', column: sql`scheduled_at`, by: 'time' },
  created_at: { axis: 'posts.created', column: sql`created_at`, by: 'time' },
};

const EVERY_STATUS = POST_STATUSES.toSorted();
const ID = sql`id`;
const STATUS = sql`status`;

export async function listPosts(db: Db, page: PostPage): Promise<PostsPage> {
  const { axis } = SORTS[page.sort];
  const total = totalOf(axis, statusesOf(page));
  const list = orderOf(page, axis);
  return pageOf(db, page, { list, total, condition: isOfStatus(list) });
}

export async function listPostsOfUser(db: Db, userId: string, page: PostPage): Promise<PostsPage> {
  const total = sql`(
    select coalesce(sum(n), 0)::bigint
    from (select status, n from user_post_counts where user_id = ${userId}
          union all
          select status, n from post_deltas where user_id = ${userId}) as parts
    where status = any(${statusesOf(page)}))`;
  const condition = sql`user_id = ${userId} and ${ofStatus(page)}`;
  return pageOf(db, page, { list: plainOrderOf(page), total, condition });
}

/** Which posts a list holds, by a condition on the columns of posts, and how many those are. */
export type Selection = {
  list: ListOrder;
  total: Sql;
  condition: Sql;
  /** Where to look for them, when not among all posts. */
  found?: Sql;
};

export async function pageOf(db: Db, page: PostPage, selection: Selection): Promise<PostsPage> {
  const { rows, ...counted } = await countedPage<ListedRow>(db, {
    place: page.place,
    limit: page.limit,
    table: sql`posts`,
    alias: sql`p`,
    ...selection,
    columns: LISTED_COLUMNS,
    joins: sql`join users u on u.id = p.user_id`,
  });
  return { rows: rows.map(withAuthor), ...counted };
}

function withAuthor(row: ListedRow): ListedPost {
  const user = {
    id: row.user_id,
    did: row.user_did,
    handle: row.user_handle,
    display_name: row.user_display_name,
    avatar: row.user_avatar,
  };
  // The row itself: what is not in the answer's schema stays behind when it is written.
  return Object.assign(row, { user });
}

/** The order of a list that goes through all posts. */
export function orderOf(page: PostPage, axis: Axis | null): ListOrder {
  const { column, by } = SORTS[page.sort];
  const { order, status } = page;
  const one = status === undefined ? null : { column: STATUS, status };
  return { axis, column, by, id: ID, order, statuses: statusesOf(page), one };
}

/** The order of a list of posts that were found another way. */
export function plainOrderOf(page: PostPage): ListOrder {
  return { ...orderOf(page, null), one: null };
}

/** Those the list holds, in its order. */
export function statusesOf({ status, order }: Pick<PostPage, 'status' | 'order'>): PostStatus[] {
  if (status !== undefined) return [status];
  return order === 'asc' ? EVERY_STATUS : EVERY_STATUS.toReversed();
}

export function ofStatus({ status }: Pick<PostPage, 'status'>): Sql {
  return status === undefined ? sql`true` : sql`status = ${status}`;
}
