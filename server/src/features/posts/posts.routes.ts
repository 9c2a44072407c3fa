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
  register(app, postList, ({ query }) => posts.list(query));

  register(app, userPosts, ({ params, query }) => posts.listOfUser(params.id, query));

  register(app, postGet, async ({ params }) => ({ post: await posts.get(params.id) }));

  register(app, postUpdate, async ({ params, body }) => ({
    post: await posts.changeStatus(params.id, body.status),
  }));

  register(app, postDelete, async ({ params }) => {
    await posts.delete(params.id);
    return { success: true } as const;
  });

  register(app, postCancel, async ({ params }) => ({ post: await posts.cancel(params.id) }));
}
