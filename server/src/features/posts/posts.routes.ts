import {
  postCancel,
  postDelete,
  postGet,
  postList,
  postUpdate,
  userPosts,
} from '@meridian/contract/posts';
import { postRetry } from '@meridian/contract/causes';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../services.ts';
import { expectedBy, register, tagged } from '../../http/register.ts';

export function postsRoutes(app: FastifyInstance, { db, posts, retryPost }: Context): void {
  register(app, postList, ({ query }) => posts.list(query));

  register(app, userPosts, ({ params, query }) => posts.listOfUser(params.id, query));

  register(app, postGet, async ({ params, reply }) => ({
    post: tagged(reply, await posts.get(params.id)),
  }));

  register(app, postUpdate, async ({ actor, params, body, request, reply }) => {
    const expected = expectedBy(request);
    const post = await posts.changeStatus(actor, params.id, body.status, expected);
    return { post: tagged(reply, post) };
  });

  register(app, postDelete, async ({ actor, params, request }) => {
    await posts.delete(actor, params.id, expectedBy(request));
    return { success: true } as const;
  });

  register(app, postCancel, async ({ actor, params, request, reply }) => ({
    post: tagged(reply, await posts.cancel(actor, params.id, expectedBy(request))),
  }));

  register(app, postRetry, async ({ actor, params, reply }) => {
    const { retryId } = await retryPost(db, actor, params.id);
    return { post: tagged(reply, await posts.get(retryId)) };
  });
}
