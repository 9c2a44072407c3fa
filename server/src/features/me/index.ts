import type { FastifyInstance } from 'fastify';
import type { Context } from '../../services.ts';
import type { OutsideNetwork } from '../../http/guarded-fetch.ts';
import {
  limitInFlight,
  limitInFlightPerMember,
  limitPerSession,
  limitUnread,
} from '../../http/limits.ts';
import { requireSameOrigin } from '../../http/guards.ts';
import { memberTokensRoutes } from '../api-tokens/api-tokens.ts';
import { createLinkCards, linkCardRoutes } from './link-card.ts';
import { meRoutes } from './me.ts';
import { mediaRoutes } from './media.ts';
import { limitByPlan } from './member-limits.ts';
import { memberEventsRoutes } from './member-events.ts';
import { requireMember } from './member-sessions.ts';
import { myPostsRoutes } from './posts.service.ts';
import { signInRoutes } from './sign-in.ts';
import { redemptionRoutes } from './tickets.ts';

export async function memberRoutes(
  app: FastifyInstance,
  context: Context,
  network?: OutsideNetwork,
): Promise<void> {
  await app.register(async (scope) => {
    limitInFlight(scope);
    requireSameOrigin(scope);
    signInRoutes(scope, context);
  });
  await app.register(async (scope) => {
    limitInFlight(scope);
    limitUnread(scope);
    requireSameOrigin(scope);
    requireMember(scope, context);
    limitInFlightPerMember(scope);
    limitPerSession(scope, context.config.sessionRateLimit);
    limitByPlan(scope, context.db);
    meRoutes(scope, context);
    myPostsRoutes(scope, context);
    mediaRoutes(scope, context);
    linkCardRoutes(scope, createLinkCards({ media: context.media, ...(network && { network }) }));
    redemptionRoutes(scope, context);
    memberTokensRoutes(scope, context);
  });
  await app.register(async (scope) => {
    requireMember(scope, context);
    limitPerSession(scope, context.config.sessionRateLimit);
    memberEventsRoutes(scope, context);
  });
}
