import type { AnswerOf, QueryOf } from '@meridian/contract/endpoint';
import {
  mePostCancel,
  mePostCreate,
  mePostDelete,
  mePostGet,
  mePostList,
  mePostRetry,
  mePostUpdate,
} from '@meridian/contract/me/posts';
import type { MePost, MePostInput } from '@meridian/contract/me/posts';
import type { FastifyInstance } from 'fastify';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import type { ExpectedVersions } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { idOf, once } from '../../http/idempotency.ts';
import type { RequestKey } from '../../http/idempotency.ts';
import { expectedBy, isUuid, registerMember, tagged } from '../../http/register.ts';
import type { Member } from '../../http/register.ts';
import type { ResolveFor } from '../../network/identity.ts';
import type { RequireRetryable } from '../noun.ts';
import { PICTURE_GONE, composePost, mediaIdsOf } from './compose-post.ts';
import type { ComposedPost } from './compose-post.ts';
import { findMedia, lockMedia } from './media.ts';
import * as store from './posts.store.ts';
import { keysOf, shownPost } from './posts.store.ts';
import type { MyPostRow } from './posts.store.ts';
import { lockMember, requireSchedulable } from './scheduling.ts';

/** A thread of 25 posts with four described pictures each has room, in any script. */
const WHOLE_THREAD = { bodyBytes: 1024 * 1024 };

export function myPostsRoutes(
  app: FastifyInstance,
  { myPosts: posts }: { myPosts: ReturnType<typeof createMyPostsService> },
): void {
  registerMember(app, mePostList, ({ member, query }) => posts.list(member, query));

  registerMember(app, mePostGet, async ({ member, params, reply }) => ({
    post: tagged(reply, await posts.get(member, params.id)),
  }));

  registerMember(
    app,
    mePostCreate,
    async ({ member, body, key, reply }) => ({
      post: tagged(reply, await posts.create(member, body, key)),
    }),
    WHOLE_THREAD,
  );

  registerMember(
    app,
    mePostUpdate,
    async ({ member, params, body, request, reply }) => ({
      post: tagged(reply, await posts.update(member, params.id, body, expectedBy(request))),
    }),
    WHOLE_THREAD,
  );

  registerMember(app, mePostCancel, async ({ member, params, reply }) => ({
    post: tagged(reply, await posts.cancel(member, params.id)),
  }));

  registerMember(app, mePostDelete, async ({ member, params }) => {
    await posts.delete(member, params.id);
    return { success: true as const };
  });

  registerMember(app, mePostRetry, async ({ member, params, body, reply }) => ({
    post: tagged(reply, await posts.retry(member, params.id, body)),
  }));
}

type MyPostsOptions = {
  db: Database;
  resolve: ResolveFor;
  requireRetryable: RequireRetryable;
  networkUrl: string;
};

export function createMyPostsService({
  db,
  resolve,
  requireRetryable,
  networkUrl,
}: MyPostsOptions) {
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
        await lockMember(tx, me.userId);
        const at = input.scheduledAt;
        const id = key === null ? uuidV7() : idOf(key, new Date(at));
        // The stored response of the first call may be lost, and is forgotten after a day.
        const taken = key && (await store.findTaken(tx, me.userId, id));
        if (taken?.isOwn === true) return get(tx, me, id);
        // A deleted post may have been published.
        if (taken !== null) throw new AppError('key_used_otherwise');
        await requireSchedulable(tx, me.userId, post, { at });
        await store.insertPost(tx, me.userId, id, post, at);
        return get(tx, me, id);
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
        await lockMember(tx, me.userId);
        const at = input.scheduledAt;
        const before = await store.lockMyPost(tx, { userId: me.userId, id, expected }, at);
        if (before === null) throw new AppError('post_not_found');
        if (!(await store.editPost(tx, id, post, at))) throw new AppError('post_not_editable');
        if (!before.isExpected) throw new AppError('post_changed_elsewhere');
        const changed = { id, isMoved: before.isMoved };
        await requireSchedulable(tx, me.userId, post, { at, changed });
        return get(tx, me, id);
      });
    },

    async cancel(me: Member, id: string): Promise<MePost> {
      const isCancelled = isUuid(id) && (await store.cancelPost(db, me.userId, id));
      const post = await get(db, me, id);
      if (!isCancelled) throw new AppError('post_not_cancellable');
      return post;
    },

    async delete(me: Member, id: string): Promise<void> {
      if (isUuid(id) && (await store.deletePost(db, me.userId, id))) return;
      await get(db, me, id);
      throw new AppError('post_being_published');
    },

    async retry(me: Member, id: string, { iLooked }: { iLooked: boolean }): Promise<MePost> {
      await get(db, me, id);
      await requireRetryable(db, id, { iLooked });
      try {
        return await db.transaction(async (tx) => {
          await lockMember(tx, me.userId);
          const failed = await store.findMyPost(tx, me.userId, id);
          if (failed === null) throw new AppError('post_not_found');
          await requireSchedulable(tx, me.userId, failed, { at: null });
          const retryId = await store.insertRetry(tx, me.userId, id);
          if (retryId === null) throw new AppError('post_not_retryable');
          return get(tx, me, retryId);
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
    const found = keys.length === 0 ? [] : await findMedia(from, userId, { keys });
    const media = new Map(found.map((one) => [one.key, one]));
    return rows.map((row) => shownPost(row, { did, networkUrl, media }));
  }

  /** Mentions are looked up on the network, so this runs before any transaction. */
  async function compose(
    { userId }: Member,
    input: MePostInput,
    ids: readonly string[],
  ): Promise<ComposedPost> {
    const found = await findMedia(db, userId, { ids: ids.filter(isUuid) });
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
