import type { QueryOf } from '@meridian/contract/endpoint';
import {
  POST_SORT_DEFAULT,
  POST_STATUSES,
  postCan,
  postStatusTargets,
  SORT_ORDER_DEFAULT,
  statusOfFilter,
} from '@meridian/contract/posts';
import type {
  ListedPost,
  Post,
  PostListQuery,
  PostStatus,
  PostStatusFilter,
  userPosts,
} from '@meridian/contract/posts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { userExists } from '../users/users.store.ts';
import * as listStore from './posts-list.store.ts';
import * as store from './posts.store.ts';

export type PostsService = ReturnType<typeof createPostsService>;
type PostsAndTotal = { posts: ListedPost[]; total: number };

const LATEST_FIRST = { sort: POST_SORT_DEFAULT, order: SORT_ORDER_DEFAULT } as const;
const CANCELLABLE = POST_STATUSES.filter((status) => postCan.cancel({ status }));

export function createPostsService(db: Database) {
  async function page(wanted: listStore.PostPage): Promise<PostsAndTotal> {
    const [posts, total] = await Promise.all([
      listStore.listPosts(db, wanted),
      listStore.countPosts(db, wanted),
    ]);
    return { posts, total };
  }

  return {
    list: ({ status, userFilter, ...rest }: PostListQuery): Promise<PostsAndTotal> =>
      page({ ...rest, status: storedStatus(status), userPart: userFilter || undefined }),

    async listOfUser(userId: string, query: QueryOf<typeof userPosts>): Promise<PostsAndTotal> {
      if (!isUuid(userId)) throw new AppError('user_not_found');
      const { status, ...rest } = query;
      const filter = { userId, status: storedStatus(status) };
      const answer = await page({ ...rest, ...filter, ...LATEST_FIRST });
      // Only an empty list leaves the question open whether there is such a user.
      if (answer.total === 0 && !(await userExists(db, userId))) {
        throw new AppError('user_not_found');
      }
      return answer;
    },

    async get(id: string): Promise<Post> {
      const post = isUuid(id) ? await store.findPost(db, id) : null;
      if (post === null) throw new AppError('post_not_found');
      return post;
    },

    async changeStatus(id: string, to: PostStatus): Promise<Post> {
      const from = POST_STATUSES.filter((status) => postStatusTargets(status).includes(to));
      const changed = isUuid(id) ? await store.setStatus(db, id, { from, to }) : null;
      if (changed !== null) return changed;
      const status = await currentStatus(id);
      if (status === to) throw new AppError('post_status_same');
      if (!postCan.changeStatus({ status })) throw new AppError('post_status_final');
      // It was in another state a moment ago, and may be in yet another by now.
      throw new AppError('conflict');
    },

    async cancel(id: string): Promise<Post> {
      const change = { from: CANCELLABLE, to: 'CANCELLED' } as const;
      const cancelled = isUuid(id) ? await store.setStatus(db, id, change) : null;
      if (cancelled !== null) return cancelled;
      const status = await currentStatus(id);
      throw new AppError(postCan.cancel({ status }) ? 'conflict' : 'post_not_cancellable');
    },

    async delete(id: string): Promise<void> {
      if (!isUuid(id) || !(await store.deletePost(db, id))) throw new AppError('post_not_found');
    },
  };

  async function currentStatus(id: string): Promise<PostStatus> {
    const status = isUuid(id) ? await store.findStatus(db, id) : null;
    if (status === null) throw new AppError('post_not_found');
    return status;
  }
}

function storedStatus(filter: PostStatusFilter | PostStatus | undefined): PostStatus | undefined {
  return filter === undefined ? undefined : statusOfFilter(filter);
}
