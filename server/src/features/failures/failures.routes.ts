import { failureList } from '@meridian/contract/failures';
import { postRetry } from '@meridian/contract/retries';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { tagged } from '../../http/entity-version.ts';
import { register } from '../../http/register.ts';

export function failuresRoutes(app: FastifyInstance, context: Context): void {
  const { db, failures, posts, retryPost } = context;

  register(app, failureList, ({ query }) => failures.report(query.window));

  register(app, postRetry, async ({ actor, params, reply }) => {
    const { retryId } = await retryPost(db, actor, params.id);
    return { post: tagged(reply, await posts.get(retryId)) };
  });
}
