import { randomUUID } from 'node:crypto';
import { JoseKey, NodeOAuthClient } from '@atproto/oauth-client-node';
import type {
  NodeOAuthClientOptions,
  NodeSavedSession,
  NodeSavedState,
  OAuthClientMetadataInput,
  RuntimeLock,
} from '@atproto/oauth-client-node';
import type { Transport } from '../transport.ts';
import type { createOAuthStore } from './oauth.store.ts';
import { fetchOver } from './transport-fetch.ts';

export type OAuthStore = ReturnType<typeof createOAuthStore>;

export type OAuthClientOptions = {
  metadata: OAuthClientMetadataInput;
  store: OAuthStore;
  transport: Transport;
  requestLock: RuntimeLock;
  /** Other directories than the public ones, without TLS: for a network on this machine. */
  directories?: Pick<NodeOAuthClientOptions, 'plcDirectoryUrl' | 'handleResolver' | 'allowHttp'>;
};

/**
 * Instead of the client's memory of an hour: a person who has moved, or taken another handle, would not
 * be found, or be sent to the old host. Only a sign-in would use it; a refresh asks anew.
 */
const NOTHING_KEPT = { get: () => undefined, set() {}, del() {} };

/** The OAuth client with its sessions in the vault and every request over the guarded transport. */
export async function createOAuthClient(options: OAuthClientOptions): Promise<NodeOAuthClient> {
  const { metadata, store, transport, requestLock, directories } = options;
  const isConfidential = metadata.token_endpoint_auth_method === 'private_key_jwt';
  return new NodeOAuthClient({
    ...directories,
    didCache: NOTHING_KEPT,
    handleCache: NOTHING_KEPT,
    clientMetadata: metadata,
    ...(isConfidential && { keyset: [await clientKeyOf(store)] }),
    fetch: fetchOver(transport),
    requestLock,
    // What the vault opens is of the shape that was stored.
    sessionStore: {
      set: (did, session) => store.saveSession(did, JSON.stringify(session)),
      get: async (did) => parsed(await store.findSession(did)) as NodeSavedSession | undefined,
      del: (did) => store.deleteSession(did),
    },
    stateStore: {
      set: (name, state) => store.saveState(name, JSON.stringify(state)),
      get: async (name) => parsed(await store.takeState(name)) as NodeSavedState | undefined,
      // Taken already.
      del: async () => {},
    },
  });
}

function parsed(json: string | null): unknown {
  return json === null ? undefined : JSON.parse(json);
}

async function clientKeyOf(store: OAuthStore): Promise<JoseKey> {
  const json = await store.clientKey(async () => {
    const key = await JoseKey.generate(['ES256'], randomUUID());
    return JSON.stringify({ ...key.privateJwk, alg: 'ES256', key_ops: ['sign'] });
  });
  return JoseKey.fromJWK(json);
}
