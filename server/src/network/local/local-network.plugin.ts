import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/database.ts';
import { limitInFlight } from '../../plugins/admission.plugin.ts';
import { limitUnread } from '../../plugins/unread-responses.plugin.ts';
import { createTableStore } from './local-records.store.ts';
import { xrpcRoutes } from './xrpc.routes.ts';

const LOCAL_NETWORK_PATH = '/local-network';

export type LocalNetworkPluginOptions = { db: Db };

/** The local network for browsers and other programs; only with `NETWORK=local`. */
export async function localNetworkPlugin(
  app: FastifyInstance,
  { db }: LocalNetworkPluginOptions,
): Promise<void> {
  await app.register(
    async (scope) => {
      limitInFlight(scope);
      limitUnread(scope);
      // Nothing can be written over HTTP: the engine publishes without a session.
      xrpcRoutes(scope, { store: createTableStore(db), password: null });
    },
    { prefix: LOCAL_NETWORK_PATH },
  );
}
