import type { FastifyInstance } from 'fastify';
import { limitInFlight } from '../../plugins/admission.plugin.ts';
import { limitUnread } from '../../plugins/unread-responses.plugin.ts';
import { createTableStore } from './local-records.store.ts';
import { LOCAL_NETWORK_PATH } from './timeline/paths.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';
import type { TimelineOptions } from './timeline/timeline.routes.ts';
import { xrpcRoutes } from './xrpc.routes.ts';

/** The local network for browsers and other programs; only with `NETWORK=local`. */
export async function localNetworkPlugin(
  app: FastifyInstance,
  options: TimelineOptions,
): Promise<void> {
  const prefix = LOCAL_NETWORK_PATH;
  await app.register(
    async (scope) => {
      limitInFlight(scope);
      limitUnread(scope);
      timelineRoutes(scope, options);
      // Nothing can be written over HTTP: the engine publishes without a session.
      await scope.register(async (xrpc) =>
        xrpcRoutes(xrpc, { store: createTableStore(options.db), password: null }),
      );
    },
    { prefix },
  );
}
