import {
  POST_SORT_DEFAULT,
  POST_SORTS,
  POST_STATUS_FILTERS,
  SORT_ORDER_DEFAULT,
  postStatusOf,
} from '@meridian/contract/posts';
import type { PostSort, PostStatusFilter, SortOrder } from '@meridian/contract/posts';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import {
  LISTED_COLUMNS,
  listPosts,
  listPostsOfUser,
} from '../../server/src/features/posts/posts-list.store.ts';
import type { PostListRequest } from '../../server/src/features/posts/posts-list.store.ts';
import { findPost } from '../../server/src/features/posts/posts.store.ts';
import { countByStatus } from '../../server/src/features/stats/stats.store.ts';
import { listUsers } from '../../server/src/features/users/users.store.ts';
import type { MarkId } from '../marks.ts';
import type { Facts } from '../stand/facts.ts';
import { statementOf } from '../stand/sql-connection.ts';

/** A call that reads, and the least SQL that gets what it shows. */
export type Call = {
  name: string;
  path: (facts: Facts) => string;
  bare: (facts: Facts) => Sql | Promise<Sql>;
  /** The statement that the server sends for it. */
  own: (facts: Facts) => Promise<Sql>;
  mark: MarkId | null;
  /** Worth a throughput of its own; the others differ in a filter only. */
  isLoaded: boolean;
};

const SORT_COLUMNS: Record<PostSort, Sql> = {
  status: sql`t.status`,
  scheduled_at: sql`t.scheduled_at`,
  created_at: sql`t.created_at`,
};
const DIRECTIONS: Record<SortOrder, Sql> = { asc: sql`asc`, desc: sql`desc` };

export function postsPath(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/api/admin/posts?${new URLSearchParams(given).toString()}`;
}

type PostList = Pick<PostListRequest, 'sort' | 'order' | 'status'>;

/** The statement of a program that needs these twenty rows and no total. */
function barePosts({ sort, order, status }: PostList, condition = sql`true`): Sql {
  const direction = DIRECTIONS[order];
  const ofStatus = status === undefined ? sql`true` : sql`t.status = ${status}`;
  const ties = sort === 'status' ? sql`t.scheduled_at ${direction}, ` : sql.empty;
  return sql`select ${LISTED_COLUMNS} from posts t join users u on u.id = t.user_id
    where ${condition} and ${ofStatus}
    order by ${SORT_COLUMNS[sort]} ${direction}, ${ties} t.id ${direction} limit 20`;
}

const LATEST = { order: SORT_ORDER_DEFAULT, status: undefined } as const;
const FIRST_PAGE = { limit: 20, offset: 0 };
const EVERY_FILTER = [undefined, ...POST_STATUS_FILTERS];

/** By each sort and status filter, and by each sort the other way round. */
export const POST_LISTS: readonly (Call & { list: PostList })[] = [
  ...POST_SORTS.flatMap((sort) =>
    EVERY_FILTER.map((filter) => postList({ ...LATEST, sort }, filter)),
  ),
  ...POST_SORTS.map((sort) => postList({ ...LATEST, sort, order: 'asc' })),
];

function postList(order: PostList, filter?: PostStatusFilter): Call & { list: PostList } {
  const status = filter === undefined ? undefined : postStatusOf(filter);
  const list = { ...order, status };
  const direction = list.order === SORT_ORDER_DEFAULT ? '' : ' upwards';
  return {
    list,
    name: `posts by ${list.sort}${direction}${filter === undefined ? '' : `, ${filter.toLowerCase()}`}`,
    path: () => postsPath({ sort: list.sort, order: list.order, status: filter }),
    bare: () => barePosts(list),
    own: () => statementOf((db) => listPosts(db, { ...list, ...FIRST_PAGE })),
    mark: 'list',
    isLoaded: direction === '' && (filter === undefined || filter === 'COMPLETED'),
  };
}

export const CALLS: readonly Call[] = [
  ...POST_LISTS,
  {
    name: 'posts of a user',
    path: ({ userId }) => `/api/admin/users/${userId}/posts`,
    bare: ({ userId }) =>
      barePosts({ ...LATEST, sort: POST_SORT_DEFAULT }, sql`t.user_id = ${userId}`),
    own: ({ userId }) =>
      statementOf((db) =>
        listPostsOfUser(db, userId, { ...LATEST, sort: POST_SORT_DEFAULT, ...FIRST_PAGE }),
      ),
    mark: null,
    isLoaded: true,
  },
  {
    name: 'users',
    path: () => '/api/admin/users',
    bare: () => sql`
      select id, did, handle, display_name, avatar, status, is_active, has_access_keyword_access,
             upgrade_prohibited, created_at, updated_at
      from users order by created_at desc, id desc limit 20`,
    own: () => statementOf((db) => listUsers(db, { status: undefined, ...FIRST_PAGE })),
    mark: null,
    isLoaded: true,
  },
  {
    name: 'post',
    path: ({ postId }) => `/api/admin/posts/${postId}`,
    bare: ({ postId }) => statementOf((db) => findPost(db, postId)),
    own: ({ postId }) => statementOf((db) => findPost(db, postId)),
    mark: null,
    isLoaded: true,
  },
  {
    name: 'statistics',
    path: () => '/api/admin/stats',
    bare: () => statementOf((db) => countByStatus(db)),
    own: () => statementOf((db) => countByStatus(db)),
    mark: null,
    isLoaded: true,
  },
];
