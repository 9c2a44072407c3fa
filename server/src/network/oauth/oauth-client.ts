import { JoseKey, NodeOAuthClient, requestLocalLock } from '@atproto/oauth-client-node';
import type {
  NodeOAuthClientOptions,
  NodeSavedSession,
  NodeSavedState,
  OAuthClientMetadataInput,
  RuntimeLock,
} from '@atproto/oauth-client-node';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { openDatabase } from '../../db/database.ts';
import type { Db } from '../../db/database.ts';
import { isUnavailable } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import type { Envelope, Vault } from '../../vault/vault.ts';
import { CALLBACK_PATH } from '../network.ts';
import { HEADERS } from '../pds.ts';
import { NoResponse } from '../transport.ts';
import type { HttpResponse, Transport } from '../transport.ts';

export type OAuthStore = ReturnType<typeof createOAuthStore>;

export type OAuthClientOptions = {
  metadata: OAuthClientMetadataInput;
  store: OAuthStore;
  transport: Transport;
  requestLock: RuntimeLock;
  directories?: Pick<NodeOAuthClientOptions, 'plcDirectoryUrl' | 'handleResolver' | 'allowHttp'>;
};

/** The client would remember for an hour, and send a member who has moved to the old host. */
const NOTHING_KEPT = { get: () => undefined, set() {}, del() {} };

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
    // The vault gives back the shape that was stored.
    sessionStore: {
      set: (did, session) => store.saveSession(did, JSON.stringify(session)),
      get: async (did) => parsed(await store.findSession(did)) as NodeSavedSession | undefined,
      del: (did) => store.deleteSession(did),
    },
    stateStore: {
      set: (name, state) => store.saveState(name, JSON.stringify(state)),
      get: async (name) => parsed(await store.takeState(name)) as NodeSavedState | undefined,
      // `takeState` has deleted it already.
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

export const CLIENT_METADATA_PATH = '/oauth/client-metadata.json';
export const JWKS_PATH = '/oauth/jwks.json';

/** putRecord needs both actions, and nothing but posts and their pictures is asked for. */
const SCOPE = 'atproto repo:app.bsky.feed.post?action=create&action=update blob:image/*';

export function clientMetadataOf(publicUrl: string) {
  return {
    client_id: `${publicUrl}${CLIENT_METADATA_PATH}`,
    client_name: 'Meridian',
    client_uri: publicUrl,
    redirect_uris: [`${publicUrl}${CALLBACK_PATH}`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: SCOPE,
    application_type: 'web',
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    dpop_bound_access_tokens: true,
    jwks_uri: `${publicUrl}${JWKS_PATH}`,
  } as OAuthClientMetadataInput; // its addresses are checked by the client itself
}

function fetchOver(transport: Transport): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, search } = new URL(request.url);
    const path = pathname + search;
    const response = await transport.request(origin, path, {
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), ...HEADERS },
      body: request.body === null ? null : new Uint8Array(await request.arrayBuffer()),
      signal: request.signal,
    });
    return asResponse(response, { origin, path });
  };
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function asResponse(
  { status, headers, text }: HttpResponse,
  place: { origin: string; path: string },
): Response {
  try {
    const fields = Object.entries(headers).flatMap(([name, value = []]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    const body = WITHOUT_BODY.has(status) ? null : text;
    const response = new Response(body, { status, headers: fields });
    // Errors of the client carry the response, and only its URL tells whose it is.
    return Object.defineProperty(response, 'url', { value: place.origin + place.path });
  } catch (error) {
    // A Response cannot hold some statuses and headers.
    throw new NoResponse('unreadable', status, place, error);
  }
}

const WAIT_MS = 10_000;
/** The client works under one lock for less: 30 s until it gives up, then 10 s and one request. */
const HOLD_MS = 60_000;

const LIMITS = {
  connectionTimeoutMillis: WAIT_MS,
  lock_timeout: WAIT_MS,
  statement_timeout: WAIT_MS + 1_000,
  query_timeout: WAIT_MS + 2_000,
  idle_in_transaction_session_timeout: HOLD_MS,
} as const satisfies ClientConfig;

// A refresh token works once, so all processes refresh a session under one lock, which ends with its connection.
// The lock has connections of its own: waiting for a slow host takes none from the queries of the process.
export function createSessionLock(connection: ClientConfig, onError: (error: Error) => void) {
  const locks = openDatabase({ ...connection, ...LIMITS }, { maxConnections: 8, onError });
  const requestLock: RuntimeLock = async (name, work) =>
    requestLocalLock(name, () =>
      locks.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
        return work();
      }),
    );
  return { requestLock, close: () => locks.close() };
}

const ENVELOPE = sql`key_id as "keyId", wrapped_key as "wrappedKey", ciphertext`;
const values = ({ keyId, wrappedKey, ciphertext }: Envelope) =>
  sql`${keyId}, ${wrappedKey}, ${ciphertext}`;

const sessionOf = (did: string) => ({ table: 'oauth_sessions', id: did });
const stateOf = (name: string) => ({ table: 'oauth_states', id: name });
const CLIENT_KEY = { table: 'oauth_client_key', id: '1' };
const findClientKey = sql`select ${ENVELOPE} from oauth_client_key where id = 1`;

/** A token is used up by its refresh: its successor is lost unless it is stored. */
const STORE_ATTEMPTS = 5;
const STORE_RETRY_MS = 1_000;

export function createOAuthStore(db: Db, vault: Vault) {
  async function saveSession(did: string, json: string): Promise<void> {
    await db.execute(sql`
      insert into oauth_sessions (did, key_id, wrapped_key, ciphertext)
      values (${did}, ${values(vault.seal(sessionOf(did), json))})
      on conflict (did) do update set key_id = excluded.key_id, wrapped_key = excluded.wrapped_key,
        ciphertext = excluded.ciphertext, refreshed_at = now()`);
  }

  return {
    async saveSession(did: string, json: string): Promise<void> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await saveSession(did, json);
        } catch (error) {
          if (!isUnavailable(error) || attempt === STORE_ATTEMPTS) throw error;
          await delay(STORE_RETRY_MS);
        }
      }
    },

    async findSession(did: string): Promise<string | null> {
      const row = await db.maybeOne<Envelope>(
        sql`select ${ENVELOPE} from oauth_sessions where did = ${did}`,
      );
      return row === null ? null : vault.open(sessionOf(did), row);
    },

    async hasSession(did: string): Promise<boolean> {
      const { found } = await db.one<{ found: boolean }>(
        sql`select exists (select from oauth_sessions where did = ${did}) as found`,
      );
      return found;
    },

    async deleteSession(did: string): Promise<void> {
      await db.execute(sql`delete from oauth_sessions where did = ${did}`);
    },

    async saveState(name: string, json: string): Promise<void> {
      await db.execute(sql`
        with expired as (delete from oauth_states where expires_at < now())
        insert into oauth_states (state, key_id, wrapped_key, ciphertext)
        values (${name}, ${values(vault.seal(stateOf(name), json))})`);
    },

    /** A state is taken once: a second browser with the same address is refused. */
    async takeState(name: string): Promise<string | null> {
      const row = await db.maybeOne<Envelope & { isExpired: boolean }>(sql`
        delete from oauth_states where state = ${name}
        returning ${ENVELOPE}, expires_at < now() as "isExpired"`);
      return row === null || row.isExpired ? null : vault.open(stateOf(name), row);
    },

    /** The key of the first process that makes one is the key of all. */
    async clientKey(make: () => Promise<string>): Promise<string> {
      let row = await db.maybeOne<Envelope>(findClientKey);
      if (row === null) {
        await db.execute(sql`
          insert into oauth_client_key (id, key_id, wrapped_key, ciphertext)
          values (1, ${values(vault.seal(CLIENT_KEY, await make()))}) on conflict (id) do nothing`);
        row = await db.maybeOne<Envelope>(findClientKey);
      }
      if (row === null) throw new Error('The key of the OAuth client is not there');
      return vault.open(CLIENT_KEY, row);
    },
  };
}
