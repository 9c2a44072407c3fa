import type { AnswerOf, QueryOf } from '@meridian/contract/endpoint';
import {
  POST_FILTER_NAMES,
  POST_SORT_DEFAULT,
  POST_STATUSES,
  SORT_ORDER_DEFAULT,
  postCan,
  postStatusOf,
  postStatusTargets,
} from '@meridian/contract/posts';
import type {
  Post,
  postList,
  PostListQuery,
  PostStatus,
  PostStatusFilter,
  userPosts,
} from '@meridian/contract/posts';
import type { Author } from '../../audit/audit.store.ts';
import type { Database } from '../../db/database.ts';
import type { ExpectedVersions } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid } from '../../http/register.ts';
import { required, requireVersion } from '../noun.ts';
import { userExists } from '../users/users.store.ts';
import { listFilteredPosts } from './posts-filtered.store.ts';
import * as store from './posts.store.ts';

type PostListPage = AnswerOf<typeof postList>;

const LATEST_FIRST = { sort: POST_SORT_DEFAULT, order: SORT_ORDER_DEFAULT } as const;
const CANCELLABLE = POST_STATUSES.filter((status) => postCan.cancel({ status }));

export function createPostsService(db: Database) {
  return {
    async list(query: PostListQuery): Promise<PostListPage> {
      const { limit, offset, cursor, sort, order, ...filter } = query;
      const { status, userFilter } = filter;
      const request = { limit, offset, cursor, sort, order, status: storedStatus(status) };
      if (POST_FILTER_NAMES.some((name) => Boolean(filter[name]))) {
        return pageOf(await listFilteredPosts(db, filter, request));
      }
      if (userFilter) return pageOf(await store.listPostsOfUsers(db, userFilter, request));
      return pageOf(await store.listPosts(db, request));
    },

    async listOfUser(userId: string, query: QueryOf<typeof userPosts>): Promise<PostListPage> {
      if (!isUuid(userId)) throw new AppError('user_not_found');
      const request = { ...query, status: storedStatus(query.status), ...LATEST_FIRST };
      const page = await store.listPostsOfUser(db, userId, request);
      if (page.total === 0 && !(await userExists(db, userId))) {
        throw new AppError('user_not_found');
      }
      return pageOf(page);
    },

    async get(id: string): Promise<Post> {
      return required(isUuid(id) ? await store.findPost(db, id) : null, 'post_not_found');
    },

    async changeStatus(
      by: Author,
      id: string,
      to: PostStatus,
      expected: ExpectedVersions = null,
    ): Promise<Post> {
      const from = POST_STATUSES.filter((status) => postStatusTargets(status).includes(to));
      const audit = { by, action: 'postUpdate' } as const;
      const change = { from, to, expected };
      const changed = isUuid(id) ? await store.setStatus(db, id, change, audit) : null;
      if (changed !== null) return changed;
      const status = await statusOfExpected(id, expected);
      if (status === to) throw new AppError('post_status_same');
      if (!postCan.changeStatus({ status })) throw new AppError('post_status_final');
      // The post was in another state a moment ago, and may be in yet another by now.
      throw new AppError('conflict');
    },

    async cancel(by: Author, id: string, expected: ExpectedVersions = null): Promise<Post> {
      const change = { from: CANCELLABLE, to: 'CANCELLED', expected } as const;
      const audit = { by, action: 'postCancel' } as const;
      const cancelled = isUuid(id) ? await store.setStatus(db, id, change, audit) : null;
      if (cancelled !== null) return cancelled;
      const status = await statusOfExpected(id, expected);
      throw new AppError(postCan.cancel({ status }) ? 'conflict' : 'post_not_cancellable');
    },

    async delete(by: Author, id: string, expected: ExpectedVersions = null): Promise<void> {
      const audit = { by, action: 'postDelete' } as const;
      if (isUuid(id) && (await store.deletePost(db, id, expected, audit))) return;
      await statusOfExpected(id, expected);
      throw new AppError('conflict');
    },
  };

  async function statusOfExpected(id: string, expected: ExpectedVersions): Promise<PostStatus> {
    const state = required(isUuid(id) ? await store.findState(db, id) : null, 'post_not_found');
    requireVersion(expected, state, 'post_changed_elsewhere');
    return state.status;
  }
}

function pageOf({ rows, ...page }: store.PostsPage): PostListPage {
  return { posts: rows, ...page };
}

function storedStatus(filter: PostStatusFilter | PostStatus | undefined): PostStatus | undefined {
  return filter === undefined ? undefined : postStatusOf(filter);
}
