import * as z from 'zod/mini';
import { CAUSE_OWNERS, CAUSE_WORDS, HOLD_WORDS } from './cause-words.ts';
import { endpoint, success } from './endpoint.ts';
import {
  choice,
  count,
  cursors,
  id,
  instant,
  keysOf,
  paging,
  paragraph,
  queryFlag,
  searchText,
  timestamp,
} from './fields.ts';
import { atMost } from './length.ts';

/** A filtered total is exact up to here; past it, `totalIsCapped` may say that there are more. */
export const FILTERED_TOTAL_MAX = 1_000;
/** The same for lists that are not in the order of their index, and so are read whole and sorted. */
export const SORTED_TOTAL_MAX = 10_000;
export const STUCK_AFTER_SECONDS = 60;
export const POST_TEXT_MAX_LENGTH = 256;
/** Texts have no index, so they are searched within one user or within this many days. */
export const POST_TEXT_DAYS_MAX = 31;

/** A failure without a cause of the catalogue counts as the operators' own. */
export const UNKNOWN_CAUSE = 'unknown';
/** The beginning of the error tells such failures apart. */
export const FAILURE_TEXT_LENGTH = 200;
export const NO_ERROR_TEXT = 'No error was recorded';
export const ANY_HOLD = 'any';

export const CAUSE_FILTERS = [...CAUSE_WORDS, UNKNOWN_CAUSE] as const;
export const HOLD_FILTERS = [...HOLD_WORDS, ANY_HOLD] as const;

/** Any version: users that an import added have ids of another program. */
const uuid = z
  .string()
  .check(
    z.regex(/^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/u, {
      error: 'userId must be a UUID',
    }),
  )
  .register(z.globalRegistry, { format: 'uuid' });

/** Parameters of every call that names a set of posts; the specification has none of them. */
export const postFilter = {
  userId: z.optional(uuid),
  // On `scheduled_at`, half open.
  from: z.optional(instant('from')),
  to: z.optional(instant('to')),
  cause: z.optional(choice('cause', CAUSE_FILTERS)),
  /** The beginning of the error of failures without a known cause, as `failureList` groups them. */
  error: z.optional(
    z
      .string()
      .check(atMost(FAILURE_TEXT_LENGTH, 'error is too long'))
      .register(z.globalRegistry, { maxLength: FAILURE_TEXT_LENGTH }),
  ),
  owner: z.optional(choice('owner', CAUSE_OWNERS)),
  hold: z.optional(choice('hold', HOLD_FILTERS)),
  /** The time has come of posts that are PENDING and not held, which `engineGet` counts as waiting. */
  overdue: z.optional(queryFlag('overdue')),
  /** The lease of posts that are PROCESSING ran out more than STUCK_AFTER_SECONDS ago. */
  stuck: z.optional(queryFlag('stuck')),
  // On the time of the failure, half open.
  failedFrom: z.optional(instant('failedFrom')),
  failedTo: z.optional(instant('failedTo')),
  text: z.optional(paragraph('text', POST_TEXT_MAX_LENGTH)),
};
export type PostFilter = {
  [Name in keyof typeof postFilter]?: z.output<(typeof postFilter)[Name]>;
};

export const POST_FILTER_NAMES = keysOf(postFilter);

export const textIsBounded = z.refine<PostFilter>(
  ({ text, userId, from, to }) =>
    !text || userId !== undefined || daysBetween(from, to) <= POST_TEXT_DAYS_MAX,
  {
    error: `text needs userId, or from and to at most ${POST_TEXT_DAYS_MAX} days apart`,
    path: ['text'],
  },
);

function daysBetween(from: string | undefined, to: string | undefined): number {
  if (from === undefined || to === undefined) return Infinity;
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

export const POST_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

/** The list filter says EXECUTING where everything else says PROCESSING. */
export const POST_STATUS_FILTERS = [
  'PENDING',
  'EXECUTING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
export type PostStatusFilter = (typeof POST_STATUS_FILTERS)[number];

export function postStatusOf<Word extends string>(
  word: Word,
): Exclude<Word, 'EXECUTING'> | 'PROCESSING' {
  // The compiler does not narrow a generic by comparison.
  return word === 'EXECUTING' ? 'PROCESSING' : (word as Exclude<Word, 'EXECUTING'>);
}

export const POST_SORTS = ['status', 'scheduled_at', 'created_at'] as const;
export type PostSort = (typeof POST_SORTS)[number];
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];
export const POST_SORT_DEFAULT = 'scheduled_at' satisfies PostSort;
export const SORT_ORDER_DEFAULT = 'desc' satisfies SortOrder;

export const POSTS_PAGE_SIZE = 20;
export const RECENT_POSTS_SIZE = 10;
export const USER_FILTER_MAX_LENGTH = 256;

/** A list cuts long texts to so many characters as readers count them. */
export const TRUNCATE = {
  listContent: 80,
  recentContent: 100,
  listError: 60,
  did: 20,
  userId: 8,
} as const;

export const POST_DELETED_REDIRECT_MS = 1500;

export const POST_MESSAGES = {
  listFailed: 'Failed to load posts',
  loadFailed: 'Failed to load post details',
  notFound: 'Post not found',
  statusFailed: (error: string) => `Failed to update status: ${error}`,
  deleteFailed: (error: string) => `Failed to delete post: ${error}`,
  statusChanged: (status: string) => `Status changed to ${status}`,
  deleted: 'Post deleted successfully',
  confirmStatus: (from: string, to: string) => `Change post status from ${from} to ${to}?`,
  confirmDelete: 'Are you sure you want to delete this post? This action cannot be undone.',
} as const;

export function postStatusTargets(status: string): PostStatus[] {
  const changeable: readonly string[] = ['PENDING', 'PROCESSING', 'CANCELLED'];
  return changeable.includes(status) ? POST_STATUSES.filter((target) => target !== status) : [];
}

export const postCan = {
  changeStatus: (post: { status: string }) => postStatusTargets(post.status).length > 0,
  cancel: (post: { status: string }) => ['PENDING', 'PROCESSING'].includes(post.status),
  viewOnNetwork: (post: { status: string; at_uri: string | null }) =>
    post.status === 'COMPLETED' && Boolean(post.at_uri),
};

export const postAuthor = z.object({
  id,
  did: z.string(),
  handle: z.string(),
  display_name: z.nullable(z.string()),
  avatar: z.nullable(z.string()),
});
export type PostAuthor = z.output<typeof postAuthor>;

const listedPost = z.object({
  id,
  user_id: id,
  content: z.string(),
  status: z.string(),
  scheduled_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
  executed_at: z.nullable(timestamp),
  at_uri: z.nullable(z.string()),
  at_rkey: z.nullable(z.string()),
  error_msg: z.nullable(z.string()),
  languages: z.array(z.string()),
  /** For If-Match. */
  version: z.int(),
  user: z.nullable(postAuthor),
});
export type ListedPost = z.output<typeof listedPost>;

/** Facets and embed are kept as they came: hostile until checked. */
export const post = z.extend(listedPost, {
  facets: z.nullable(z.unknown()),
  embed: z.nullable(z.unknown()),
  hold: z.nullable(z.string()),
  cause: z.nullable(z.string()),
  reply_to: z.nullable(z.string()),
  /** Further parts, each with content, facets, embed and languages. */
  thread: z.nullable(z.unknown()),
  retry_of: z.nullable(id),
  retried_as: z.nullable(id),
});
export type Post = z.output<typeof post>;

const statusFilter = z.optional(
  z.enum([...POST_STATUS_FILTERS, 'PROCESSING'], {
    error: `status must be one of ${POST_STATUS_FILTERS.join(', ')}`,
  }),
);

export const postListQuery = z
  .strictObject({
    ...paging,
    status: statusFilter,
    userFilter: z.optional(searchText('userFilter', USER_FILTER_MAX_LENGTH)),
    sort: z._default(choice('sort', POST_SORTS), POST_SORT_DEFAULT),
    order: z._default(choice('order', SORT_ORDERS), SORT_ORDER_DEFAULT),
    ...postFilter,
  })
  .check(textIsBounded);
export type PostListQuery = z.output<typeof postListQuery>;

/** A list without its order and page. */
export const postListFilter = z.omit(z.strictObject(postListQuery.shape), {
  limit: true,
  offset: true,
  cursor: true,
  sort: true,
  order: true,
});
export type PostListFilter = z.output<typeof postListFilter>;

const postEnvelope = z.object({ post });

export const postList = endpoint({
  name: 'postList',
  method: 'GET',
  path: '/api/admin/posts',
  right: 'posts:read',
  summary: 'Scheduled posts, filtered and sorted',
  query: postListQuery,
  answer: z.object({
    posts: z.array(listedPost),
    total: count,
    totalIsCapped: z.optional(z.literal(true)),
    cursors,
  }),
});

export const postGet = endpoint({
  name: 'postGet',
  method: 'GET',
  path: '/api/admin/posts/{id}',
  right: 'posts:read',
  summary: 'One post with its author, facets and embed',
  answer: postEnvelope,
});

export const postUpdate = endpoint({
  name: 'postUpdate',
  method: 'PATCH',
  path: '/api/admin/posts/{id}',
  right: 'posts:write',
  summary: 'Change the status by hand',
  body: z.strictObject({ status: choice('status', POST_STATUSES) }),
  answer: postEnvelope,
});

export const postDelete = endpoint({
  name: 'postDelete',
  method: 'DELETE',
  path: '/api/admin/posts/{id}',
  right: 'posts:write',
  summary: 'Delete a scheduled post; what was published stays on the network',
  answer: success,
});

export const postCancel = endpoint({
  name: 'postCancel',
  method: 'POST',
  path: '/api/admin/posts/{id}/cancel',
  right: 'posts:write',
  summary: 'Cancel a pending or processing post',
  answer: postEnvelope,
});

export const userPosts = endpoint({
  name: 'userPosts',
  method: 'GET',
  path: '/api/admin/users/{id}/posts',
  right: 'posts:read',
  summary: 'The posts of one user, latest schedule first',
  query: z.strictObject({ ...paging, status: statusFilter }),
  answer: z.object({ posts: z.array(listedPost), total: count, cursors }),
});
