import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/database.ts';
import { DatabaseUnavailable, isServerError } from '../../db/errors.ts';
import { requireSameOrigin } from '../../http/guards.ts';
import { limitInFlight, limitUnread } from '../../http/limits.ts';
import { POST_COLLECTION } from '../network.ts';
import type { Network, NetworkResponse } from '../network.ts';
import { consentRoutes } from './consent.ts';
import { createLocalRepo, createTableStore, preparePost } from './local-repo.ts';
import { XrpcError } from './xrpc-error.ts';
import { LOCAL_NETWORK_PATH } from './paths.ts';
import { timelineRoutes } from './timeline.ts';
import type { TimelineOptions } from './timeline.ts';

/** These pages exist only with `NETWORK=local`, and no post is written over HTTP. */
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

export function createLocalNetwork(db: Db): Network {
  const repo = createLocalRepo(createTableStore(db));
  return {
    name: 'local',
    defaultHost: 'local',
    putRecord: ({ did }, write) =>
      respond(async () => repo.putRecord(did, await preparePost(write))),
    applyWrites: ({ did }, writes) =>
      respond(async () => {
        const records = writes.map((write, index) =>
          preparePost(write, ['writes', index, 'record']),
        );
        return repo.applyWrites(did, await Promise.all(records));
      }),
    getRecord: (_, did, rkey) =>
      respond(() => repo.getRecord({ did, collection: POST_COLLECTION, rkey })),
    getRepoStatus: (_, did) => respond(async () => ({ did, active: true })),
    findHost: async () => null,
    refreshSession: async () => {},
    uploadBlob: ({ did }, bytes, mimeType) => respond(() => repo.uploadBlob(did, bytes, mimeType)),
    close: async () => {},
  };
}

async function respond(work: () => Promise<object>): Promise<NetworkResponse> {
  try {
    const body = await work();
    return { kind: 'response', status: 200, error: null, message: null, body, retryAt: null };
  } catch (error) {
    if (error instanceof XrpcError) return failed(error.status, error.error, error.message);
    if (isServerError(error)) return failed(500, 'InternalServerError', 'Internal Server Error');
    // The statement may have been carried out, as after a connection that ended early.
    if (error instanceof DatabaseUnavailable) {
      return { kind: 'no_response', reason: 'cut', status: null };
    }
    throw error;
  }
}

function failed(status: number, error: string, message: string): NetworkResponse {
  return { kind: 'response', status, error, message, body: { error, message }, retryAt: null };
}
