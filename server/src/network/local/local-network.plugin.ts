import type { FastifyInstance } from 'fastify';
import { limitInFlight } from '../../plugins/admission.plugin.ts';
import { requireSameOrigin } from '../../plugins/origin.plugin.ts';
import { limitUnread } from '../../plugins/unread-responses.plugin.ts';
import { consentRoutes } from './consent/consent.routes.ts';
import { LOCAL_NETWORK_PATH } from './timeline/paths.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';
import type { TimelineOptions } from './timeline/timeline.routes.ts';

/** What the local network shows in browsers; only with `NETWORK=local`. No post is written over HTTP. */
export async function localNetworkPlugin(
  app: FastifyInstance,
  options: TimelineOptions,
): Promise<void> {
  await app.register(
    async (scope) => {
      limitInFlight(scope);
      limitUnread(scope);
      timelineRoutes(scope, options);
      await scope.register(async (forms) => {
        requireSameOrigin(forms);
        consentRoutes(forms, options);
      });
    },
    { prefix: LOCAL_NETWORK_PATH },
  );
}
