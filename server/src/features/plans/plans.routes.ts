import {
  planCreate,
  planGet,
  planList,
  planPublish,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract/plans';
import type { Plan } from '@meridian/contract/plans';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';
import { etagOf, expectedVersions } from './plan-version.ts';

/** Waiting for another process's publish, then one's own with a store that fails as late as it can. */
const PUBLISH_TIMEOUT_MS = 45_000;

export function plansRoutes(app: FastifyInstance, { plans, planPublisher }: Context): void {
  register(app, planList, async ({ query }) => ({ plans: await plans.list(query) }));

  register(app, planGet, async ({ params, reply }) => tagged(reply, await plans.get(params.id)));

  register(app, planCreate, async ({ body, reply }) => tagged(reply, await plans.create(body)));

  register(app, planUpdate, async ({ params, body, request, reply }) =>
    tagged(reply, await plans.update(params.id, body, expectedBy(request))),
  );

  register(app, planSetVisibility, async ({ params, body, request, reply }) =>
    tagged(reply, await plans.setVisible(params.id, body.isVisible, expectedBy(request))),
  );

  register(app, planSetActive, async ({ params, body, request, reply }) =>
    tagged(reply, await plans.setActive(params.id, body.isActive, expectedBy(request))),
  );

  register(app, planPublish, async () => planPublisher.publish(), {
    timeoutMs: PUBLISH_TIMEOUT_MS,
  });
}

function expectedBy(request: FastifyRequest) {
  return expectedVersions(request.headers['if-match']);
}

function tagged(reply: FastifyReply, plan: Plan): { plan: Plan } {
  reply.header('etag', etagOf(plan));
  return { plan };
}
