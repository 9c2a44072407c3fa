import {
  OAuthCallbackError,
  OAuthResolverError,
  OAuthResponseError,
} from '@atproto/oauth-client-node';
import type { NodeOAuthClient } from '@atproto/oauth-client-node';
import { NETWORK_IMAGE_HOST } from '@meridian/contract/network';
import { propertyOf } from '@meridian/contract/untrusted';
import type { Logger } from 'pino';
import { DatabaseUnavailable, isServerError } from '../../db/errors.ts';
import { ConnectError, INVALID_HANDLE } from '../network.ts';
import type { Connector } from '../network.ts';
import { getRecord, jsonObject } from '../pds.ts';
import { NoResponse } from '../transport.ts';
import type { Transport } from '../transport.ts';
import type { OAuthStore } from './oauth-client.ts';

type Options = {
  client: NodeOAuthClient;
  store: OAuthStore;
  transport: Transport;
  directory: string;
  log: Logger;
};

const HANDLE = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const DID = /^did:(?:plc:[a-z2-7]{24}|web:[a-z0-9.-]{1,253})$/;

export function createOAuthConnector(options: Options): Connector {
  const { client, store, transport, directory, log } = options;
  const isNetworkReachable = () =>
    transport.request(directory, '/', { method: 'GET', headers: {} }).then(
      () => true,
      (error: unknown) => error instanceof NoResponse && error.status !== null,
    );
  return {
    async begin(name, state) {
      // The client would take an address of a server too; members sign in by their own name.
      if (!HANDLE.test(name) && !DID.test(name)) return null;
      try {
        return await client.authorize(name, { state });
      } catch (error) {
        // The client does not tell a name that could not be looked up from one that nobody has.
        if (isUnknown(error) && (await isNetworkReachable())) return null;
        throw new ConnectError('unreachable', { cause: error });
      }
    },

    async finish(query) {
      const { session, state } = await client.callback(query).catch((error: unknown) => {
        throw new ConnectError(reasonOf(error, query), { cause: error });
      });
      const { did } = session;
      const { aud } = await session.getTokenInfo(false);
      const host = new URL(aud).origin;
      // The access is given already; without a directory the handle is as unknown as an invalid one.
      const { handle } = await client.identityResolver
        .resolve(did)
        .catch(() => ({ handle: INVALID_HANDLE }));
      const profile = await readProfile(transport, host, did);
      return { did, handle, host, state: state ?? '', ...profile };
    },

    async disconnect(did) {
      await client.revoke(did).catch((error: unknown) => {
        // The lock or the store failed: the session may be in use, and is not deleted.
        if (isServerError(error) || error instanceof DatabaseUnavailable) throw error;
        log.warn({ err: error, did }, 'The access to an account could not be revoked at its host');
      });
      await store.deleteSession(did);
    },
  };
}

function isUnknown(error: unknown): boolean {
  const cause = error instanceof OAuthResolverError ? error.cause : null;
  // The client does not export the class.
  return cause instanceof Error && cause.name === 'IdentityResolverError';
}

function reasonOf(error: unknown, query: URLSearchParams): ConnectError['reason'] {
  if (query.has('error')) return 'refused';
  // Without a cause the client itself did not know the sign-in, or not the server that responds.
  if (!(error instanceof OAuthCallbackError) || error.cause === undefined) return 'expired';
  return error.cause instanceof OAuthResponseError && error.cause.status === 400
    ? 'expired'
    : 'unreachable';
}

const NAME_MAX_LENGTH = 640;
const CID = /^b[a-z2-7]{50,80}$/u;

async function readProfile(transport: Transport, host: string, did: string) {
  const record = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self' };
  const response = await getRecord(transport, host, record).catch((error: unknown) => {
    if (error instanceof NoResponse) return null;
    throw error;
  });
  const value = response?.status === 200 ? propertyOf(jsonObject(response.text), 'value') : null;
  const name = propertyOf(value, 'displayName');
  const avatar = propertyOf(propertyOf(propertyOf(value, 'avatar'), 'ref'), '$link');
  return {
    displayName:
      typeof name === 'string' && name.trim() !== '' ? name.slice(0, NAME_MAX_LENGTH) : null,
    avatar:
      typeof avatar === 'string' && CID.test(avatar)
        ? `https://${NETWORK_IMAGE_HOST}/img/avatar/plain/${did}/${avatar}`
        : null,
  };
}
