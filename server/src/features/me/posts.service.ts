import type { AnswerOf, QueryOf } from '@meridian/contract/endpoint';
import type { MePost, MePostInput, mePostList } from '@meridian/contract/me/posts';
import type { PlanLimitName } from '@meridian/contract/plan-limits';
import type { Database, Db } from '../../db/database.ts';
import { isServerError, isViolation } from '../../db/errors.ts';
import { AppError, invalidField } from '../../http/app-error.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import type { Member } from '../../http/register.ts';
import { isUuid } from '../../http/uuid.ts';
import { once } from '../../idempotency/once.ts';
import { idOf } from '../../idempotency/request-key.ts';
import type { RequestKey } from '../../idempotency/request-key.ts';
import type { ResolveFor } from '../../network/resolve-handle.ts';
import type { RequireRetryable } from '../posts/retry.ts';
import { composePost, mediaIdsOf, PICTURE_GONE } from './compose-post.ts';
import type { ComposedPost } from './compose-post.ts';
import { limitReached } from './limit-reached.ts';
import { findMedia, findMediaByKey, lockMedia } from './media.store.ts';
import * as store from './posts.store.ts';
import type { MyPostRow, Outcome } from './posts.store.ts';
import { keysOf, shownPost } from './shown-post.ts';

type MyPostsOptions = {
  db: Database;
  resolve: ResolveFor;
  requireRetryable: RequireRetryable;
  /** Where published posts are shown. */
  networkUrl: string;
};

export function createMyPostsService(options: MyPostsOptions) {
  const { db, resolve, requireRetryable, networkUrl } = options;

  return {
    async list(
      me: Member,
      query: QueryOf<typeof mePostList>,
    ): Promise<AnswerOf<typeof mePostList>> {
      const { rows, ...page } = await store.listMyPosts(db, me.userId, query);
      return { posts: await shown(db, me, rows), ...page };
    },

    get: (me: Member, id: string) => get(db, me, id),

    async create(me: Member, input: MePostInput, key: RequestKey | null): Promise<MePost> {
      const ids = mediaIdsOf(input);
      const post = await compose(me, input, ids);
      return once(db, key, async (tx) => {
        await requireMedia(tx, me, ids);
        const at = input.scheduledAt;
        const id = key && idOf(key, new Date(at));
        const outcome = await store.schedulePost(tx, me.userId, post, at, id).catch(keyOfDeleted);
        if (outcome.post_id === null) throw refusalOf(outcome);
        return get(tx, me, outcome.post_id);
      });
    },

    async update(
      me: Member,
      id: string,
      input: MePostInput,
      expected: ExpectedVersions,
    ): Promise<MePost> {
      if (!isUuid(id)) throw new AppError('post_not_found');
      const ids = mediaIdsOf(input);
      const post = await compose(me, input, ids);
      return db.transaction(async (tx) => {
        await requireMedia(tx, me, ids);
        const of = { userId: me.userId, id, expected };
        const outcome = await store.editPost(tx, of, post, input.scheduledAt);
        if (outcome.result !== 'edited') throw refusalOf(outcome);
        return get(tx, me, id);
      });
    },

    async cancel(me: Member, id: string): Promise<MePost> {
      const post = await get(db, me, id);
      const result = await store.cancelPost(db, me.userId, post.id);
      if (result !== 'cancelled') throw refusalOf(result);
      return get(db, me, id);
    },

    async delete(me: Member, id: string): Promise<void> {
      if (isUuid(id) && (await store.deletePost(db, me.userId, id))) return;
      await get(db, me, id);
      throw new AppError('post_being_published');
    },

    async retry(me: Member, id: string, { iLooked }: { iLooked: boolean }): Promise<MePost> {
      // The post of another person is not found, whatever became of it.
      await get(db, me, id);
      await requireRetryable(db, id, { iLooked });
      try {
        return await db.transaction(async (tx) => {
          const outcome = await store.scheduleRetry(tx, me.userId, id);
          if (outcome === null) throw new AppError('post_not_retryable');
          if (outcome.post_id === null) throw refusalOf(outcome);
          return get(tx, me, outcome.post_id);
        });
      } catch (error) {
        const isSecond = isViolation(error, 'posts_retry_of');
        throw isSecond ? new AppError('post_already_retried') : error;
      }
    },
  };

  async function get(from: Db, me: Member, id: string): Promise<MePost> {
    const row = isUuid(id) ? await store.findMyPost(from, me.userId, id) : null;
    const [post] = row === null ? [] : await shown(from, me, [row]);
    if (post === undefined) throw new AppError('post_not_found');
    return post;
  }

  async function shown(from: Db, { userId, did }: Member, rows: MyPostRow[]): Promise<MePost[]> {
    const keys = rows.flatMap(keysOf);
    const found = keys.length === 0 ? [] : await findMediaByKey(from, userId, keys);
    const media = new Map(found.map((one) => [one.key, one]));
    return rows.map((row) => shownPost(row, { did, networkUrl, media }));
  }

  /** Before any transaction: mentions are looked up on the network. */
  async function compose(
    { userId }: Member,
    input: MePostInput,
    ids: readonly string[],
  ): Promise<ComposedPost> {
    const found = await findMedia(db, userId, ids.filter(isUuid));
    const media = new Map(found.map((one) => [one.id, one]));
    return composePost(input, { media, resolve: (handle) => resolve(userId, handle) });
  }
}

/** The job that deletes unused pictures may have taken one meanwhile. */
async function requireMedia(tx: Db, { userId }: Member, ids: readonly string[]): Promise<void> {
  if (ids.length > 0 && (await lockMedia(tx, userId, ids)) < ids.length) {
    throw invalidField('images', PICTURE_GONE);
  }
}

/** The post that this key made is deleted, and what it published may be public. */
function keyOfDeleted(error: unknown): never {
  const isRefusal = isServerError(error) && error.code === '22023';
  throw isRefusal ? new AppError('key_used_otherwise', { cause: error }) : error;
}

const REFUSALS: Readonly<Record<string, () => AppError>> = {
  unknown_post: () => new AppError('post_not_found'),
  unknown_user: () => new AppError('unauthenticated'),
  user_off: () => new AppError('may_not_schedule'),
  restricted: () => new AppError('may_not_schedule'),
  closed_beta: () =>
    new AppError('may_not_schedule', {
      message: 'This service is in closed beta. You need an access keyword to schedule posts',
    }),
  service_suspended: () => new AppError('service_suspended', { retryAfterSeconds: 60 }),
  in_the_past: () => invalidField('scheduledAt', 'Choose a time that is not past'),
  video: () => invalidField('images', 'Video is not available yet'),
  not_pending: () => new AppError('post_not_editable'),
  not_cancellable: () => new AppError('post_not_cancellable'),
  changed: () => new AppError('post_changed_elsewhere'),
};

function refusalOf(outcome: Outcome | string): Error {
  if (typeof outcome !== 'string' && outcome.limit_name !== null) {
    const { limit_name, allowed, used, ends_at: endsAt } = outcome;
    // The function names limits of the plan only.
    const name = limit_name as PlanLimitName;
    return limitReached({ name, allowed: allowed ?? 0, used: used ?? 0, endsAt });
  }
  const result = typeof outcome === 'string' ? outcome : outcome.result;
  return REFUSALS[result]?.() ?? new Error(`Unknown result of meridian_api: ${result}`);
}
