import {
  mePostCancel,
  mePostCreate,
  mePostDelete,
  mePostGet,
  mePostList,
  mePostRetry,
  mePostUpdate,
} from '@meridian/contract/me/posts';
import type { FastifyInstance } from 'fastify';
import { expectedBy, tagged } from '../../http/entity-version.ts';
import { registerMember } from '../../http/register.ts';
import type { createMyPostsService } from './posts.service.ts';

/** A thread of 25 posts with four described pictures each, in any script. */
const WHOLE_THREAD = { bodyBytes: 1024 * 1024 };

export function myPostsRoutes(
  app: FastifyInstance,
  posts: ReturnType<typeof createMyPostsService>,
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
