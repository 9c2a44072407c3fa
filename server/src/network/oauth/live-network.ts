import type {
  NodeOAuthClient,
  OAuthClientMetadataInput,
  OAuthSession,
} from '@atproto/oauth-client-node';
import { propertyOf } from '@meridian/contract/untrusted';
import type { FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { shownPath } from '../../config/parsers.ts';
import type { Database, Db } from '../../db/database.ts';
import { StartError } from '../../start-error.ts';
import {
  VaultError,
  createVault,
  findKeyIds,
  makeMasterKey,
  readMasterKeys,
} from '../../vault/vault.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Connector, Network } from '../network.ts';
import { createPdsNetwork } from '../pds.ts';
import type { SendAs } from '../pds.ts';
import { NoResponse, createTransport } from '../transport.ts';
import type { HttpResponse, TransportOptions } from '../transport.ts';
import {
  CLIENT_METADATA_PATH,
  JWKS_PATH,
  clientMetadataOf,
  createOAuthClient,
  createOAuthStore,
  createSessionLock,
} from './oauth-client.ts';
import type { OAuthClientOptions, OAuthStore } from './oauth-client.ts';
import { createOAuthConnector } from './oauth-connector.ts';

type LiveOptions = { config: Config; db: Database; connection: ClientConfig; log: Logger };

/** `keys` is null before the first start on the embedded database. */
export function liveSettingsOf(config: Config) {
  if (config.publicUrl === null) {
    throw new StartError(
      'NETWORK=live needs PUBLIC_URL, the https address of this server: account hosts read there who asks for access.',
    );
  }
  return { publicUrl: config.publicUrl, keys: readMasterKeys(config) };
}

export async function openLive(
  { config, db, connection, log }: LiveOptions,
  say: (line: string) => void,
): Promise<LiveNetwork> {
  const { publicUrl, keys: found } = liveSettingsOf(config);
  let keys = found;
  const locking = await findKeyIds(db);
  if (keys === null && locking.length === 0) {
    const path = await makeMasterKey(config);
    say(
      `Made ${shownPath(path)}, the key to the accounts of people; keep a copy apart from backups.`,
    );
    keys = readMasterKeys(config);
  }
  const vault = keys === null ? null : createVault(keys);
  const missing = locking.find((id) => vault?.knows(id) !== true);
  if (vault === null || missing !== undefined) {
    throw new StartError(
      `ENGINE_KEY and ENGINE_KEY_FILE lack the key ${missing} that encrypts the access to accounts in this database; set it, or run npm run engine -- rotate-keys --discard and let these people connect again.`,
    );
  }
  const metadata = clientMetadataOf(publicUrl);
  return openLiveNetwork({ db, connection, log, vault, metadata });
}

const PLC_DIRECTORY = 'https://plc.directory';

type LiveNetworkOptions = {
  db: Db;
  connection: ClientConfig;
  log: Logger;
  vault: Vault;
  metadata: OAuthClientMetadataInput;
  transport?: TransportOptions;
  directories?: OAuthClientOptions['directories'];
};

export type LiveNetwork = {
  network: Network;
  connector: Connector;
  metadata: object;
  jwks: object;
  close(): Promise<void>;
};

export async function openLiveNetwork(options: LiveNetworkOptions): Promise<LiveNetwork> {
  const { db, connection, log, vault, metadata, directories } = options;
  const transport = createTransport(options.transport);
  const store = createOAuthStore(db, vault);
  const lock = createSessionLock(connection, (error) =>
    log.warn({ err: error }, 'A database connection broke'),
  );
  const client = await createOAuthClient({
    metadata,
    store,
    transport,
    requestLock: lock.requestLock,
    ...(directories !== undefined && { directories }),
  });
  const network = createPdsNetwork({
    transport,
    sendAs: createSendAs({ client, store, log }),
    refreshSession: async ({ did }) => {
      await client.restore(did).catch(() => {});
    },
    findHost: (did) => client.identityResolver.resolve(did).then(hostIn, () => null),
  });
  return {
    network,
    connector: createOAuthConnector({
      client,
      store,
      transport,
      directory: String(directories?.plcDirectoryUrl ?? PLC_DIRECTORY),
      log,
    }),
    metadata,
    jwks: client.jwks,
    async close() {
      await network.close();
      await lock.close();
    },
  };
}

function hostIn(found: { didDoc: { service?: readonly object[] | undefined } }): string | null {
  const services = found.didDoc.service ?? [];
  const host = services.find((one) => String(propertyOf(one, 'id')).endsWith('#atproto_pds'));
  const endpoint = propertyOf(host, 'serviceEndpoint');
  return typeof endpoint === 'string' ? (URL.parse(endpoint)?.origin ?? null) : null;
}

type SessionOptions = { client: NodeOAuthClient; store: OAuthStore; log: Logger };

/** This is a response of the protocol, so that the engine's rules hold the posts of this account. */
const REVOKED: HttpResponse = {
  status: 401,
  headers: {},
  text: '{"error":"AuthenticationRequired","message":"The access to the account has ended"}',
};

// The client deletes a session only after a definite refusal,
// so a session that is still stored has merely not been refreshed, and the post is retried.
function createSendAs({ client, store, log }: SessionOptions): SendAs {
  async function withoutSession(
    did: string,
    error: unknown,
    reason: 'unreachable' | 'cut' = 'unreachable',
    origin = reason === 'cut' ? null : originIn(error),
  ): Promise<HttpResponse> {
    if (!(await store.hasSession(did))) return REVOKED;
    log.warn({ err: error, did }, 'The access to an account could not be refreshed');
    throw new NoResponse(reason, null, { origin }, error);
  }

  return async ({ did }, path, { method, headers, body = null }) => {
    let session: OAuthSession;
    try {
      session = await client.restore(did);
    } catch (error) {
      return withoutSession(did, error);
    }
    let response: Response;
    try {
      // No request may have a view of shared memory.
      const own = body instanceof Uint8Array ? new Uint8Array(body) : body;
      response = await session.fetchHandler(path, { method, headers, body: own });
    } catch (error) {
      const failure = noResponseIn(error);
      if (failure?.path === path) throw failure;
      // The session is refreshed before the request is sent: after any other failure it may have been sent.
      return withoutSession(did, error, failure === null ? 'cut' : 'unreachable');
    }
    if (isTokenRefused(response)) {
      const { issuer } = session.server;
      return withoutSession(did, 'The token was refused', 'unreachable', issuer);
    }
    const { status } = response;
    const text = await response.text();
    return { status, headers: Object.fromEntries(response.headers), text };
  };
}

function noResponseIn(error: unknown): NoResponse | null {
  if (error instanceof NoResponse) return error;
  return error instanceof Error ? noResponseIn(error.cause) : null;
}

function originIn(error: unknown): string | null {
  if (error instanceof NoResponse) return error.origin;
  if (error instanceof VaultError) return 'the key of its stored session';
  if (!(error instanceof Error)) return null;
  const response = propertyOf(error, 'response');
  const isResponse = response instanceof Response;
  return isResponse ? (URL.parse(response.url)?.origin ?? null) : originIn(error.cause);
}

/** The client has tried to refresh the token, and does not say why that failed. */
function isTokenRefused({ status, headers }: Response): boolean {
  const challenge = headers.get('www-authenticate') ?? '';
  return status === 401 && challenge.includes('error="invalid_token"');
}

export function oauthClientRoutes(
  app: FastifyInstance,
  { metadata, jwks }: Pick<LiveNetwork, 'metadata' | 'jwks'>,
): void {
  app.get(CLIENT_METADATA_PATH, async () => metadata);
  app.get(JWKS_PATH, async () => jwks);
}
