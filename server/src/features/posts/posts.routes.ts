import {
  postCancel,
  postDelete,
  postGet,
  postList,
  postUpdate,
  userPosts,
} from '@meridian/contract/posts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function postsRoutes(app: FastifyInstance, { posts }: Context): void {
  register(app, postList, ({ actor, query }) => posts.list(actor, query));

  register(app, userPosts, ({ actor, params, query }) => posts.listOfUser(actor, params.id, query));

  register(app, postGet, async ({ params }) => ({ post: await posts.get(params.id) }));

  register(app, postUpdate, async ({ actor, params, body }) => ({
    post: await posts.changeStatus(actor, params.id, body.status),
  }));

  register(app, postDelete, async ({ actor, params }) => {
    await posts.delete(actor, params.id);
    return { success: true } as const;
  });

  register(app, postCancel, async ({ actor, params }) => ({
    post: await posts.cancel(actor, params.id),
  }));
}
