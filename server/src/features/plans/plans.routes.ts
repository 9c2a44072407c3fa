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
import type { Context } from '../../services.ts';
import { expectedBy, register, tagged } from '../../http/register.ts';

/** The call waits for another process's publish, then for an upload that fails at its own timeout. */
const PUBLISH_TIMEOUT_MS = 45_000;

export function plansRoutes(app: FastifyInstance, { plans, planPublisher }: Context): void {
  register(app, planList, async ({ query }) => ({ plans: await plans.list(query) }));

  register(app, planGet, async ({ params, reply }) => shown(reply, await plans.get(params.id)));

  register(app, planCreate, async ({ actor, body, key, reply }) =>
    shown(reply, await plans.create(actor, body, key)),
  );

  register(app, planUpdate, async ({ actor, params, body, request, reply }) =>
    shown(reply, await plans.update(actor, params.id, body, expectedBy(request))),
  );

  register(app, planSetVisibility, async ({ actor, params, body, request, reply }) =>
    shown(reply, await plans.setVisible(actor, params.id, body.isVisible, expectedBy(request))),
  );

  register(app, planSetActive, async ({ actor, params, body, request, reply }) =>
    shown(reply, await plans.setActive(actor, params.id, body.isActive, expectedBy(request))),
  );

  register(
    app,
    planPublish,
    async ({ actor, request }) => {
      const { publishedCount, individualUrls } = await planPublisher.publish(actor);
      return {
        publishedCount,
        individualUrls: individualUrls.map((url) => absoluteUrl(request, url)),
      };
    },
    { timeoutMs: PUBLISH_TIMEOUT_MS },
  );
}

/** Without CDN_BASE_URL public addresses are paths of this server. */
function absoluteUrl({ protocol, host }: FastifyRequest, url: string): string {
  return URL.parse(url, `${protocol}://${host}`)?.href ?? url;
}

function shown(reply: FastifyReply, plan: Plan): { plan: Plan } {
  return { plan: tagged(reply, plan) };
}
