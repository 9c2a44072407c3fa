import type { OAuthClientMetadataInput } from '@atproto/oauth-client-node';
import { propertyOf } from '@meridian/contract/untrusted';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Connector } from '../connector.ts';
import type { Network } from '../network.ts';
import { createPdsNetwork } from '../pds.ts';
import { createTransport } from '../transport.ts';
import type { TransportOptions } from '../transport.ts';
import { createOAuthClient } from './oauth-client.ts';
import type { OAuthClientOptions } from './oauth-client.ts';
import { createOAuthConnector } from './oauth-connector.ts';
import { createOAuthStore } from './oauth.store.ts';
import { createSendAs } from './send-as.ts';
import { createSessionLock } from './session-lock.ts';

const PLC_DIRECTORY = 'https://plc.directory';

export type LiveNetworkOptions = {
  db: Db;
  connection: ClientConfig;
  log: Logger;
  vault: Vault;
  metadata: OAuthClientMetadataInput;
  /** Only for a network on this machine. */
  transport?: TransportOptions;
  directories?: OAuthClientOptions['directories'];
};

export type LiveNetwork = {
  network: Network;
  connector: Connector;
  /** What authorization servers read of this service. */
  metadata: object;
  jwks: object;
  close(): Promise<void>;
};

/** The AT Protocol with accounts that were connected by OAuth. */
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
    refreshSession: ({ did }) =>
      client.restore(did).then(
        () => undefined,
        () => undefined,
      ),
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

/** As the DID document of an account names it. */
function hostIn({
  didDoc,
}: {
  didDoc: { service?: readonly object[] | undefined };
}): string | null {
  const services = didDoc.service ?? [];
  const host = services.find((one) => String(propertyOf(one, 'id')).endsWith('#atproto_pds'));
  const endpoint = propertyOf(host, 'serviceEndpoint');
  return typeof endpoint === 'string' ? (URL.parse(endpoint)?.origin ?? null) : null;
}
