import { propertyOf } from '@meridian/contract/untrusted';
import type { NodeOAuthClient, OAuthSession } from '@atproto/oauth-client-node';
import type { Logger } from 'pino';
import { VaultError } from '../../vault/vault.ts';
import type { SendAs } from '../pds.ts';
import { NoResponse } from '../transport.ts';
import type { HttpResponse } from '../transport.ts';
import type { OAuthStore } from './oauth-client.ts';

export type SessionOptions = { client: NodeOAuthClient; store: OAuthStore; log: Logger };

/** In the words of the protocol, so that the engine's rules hold the posts of this account. */
const REVOKED: HttpResponse = {
  status: 401,
  headers: {},
  text: '{"error":"AuthenticationRequired","message":"The access to the account has ended"}',
};

/**
 * Requests in the name of accounts. The client deletes a session only after a definite refusal, so a
 * session that is still stored has merely not been refreshed, and the post is retried.
 */
export function createSendAs({ client, store, log }: SessionOptions): SendAs {
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
      // Not a view of shared memory, which no request may have.
      const own = body instanceof Uint8Array ? new Uint8Array(body) : body;
      response = await session.fetchHandler(path, { method, headers, body: own });
    } catch (error) {
      const failure = noResponseIn(error);
      if (failure?.path === path) throw failure;
      // The session is refreshed before the request is sent; whatever else it was, that may be sent.
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

/** The client wraps what its fetch throws. */
function noResponseIn(error: unknown): NoResponse | null {
  if (error instanceof NoResponse) return error;
  return error instanceof Error ? noResponseIn(error.cause) : null;
}

/** Whose fault it was that there is no session: of the host, its authorization server or the directory. */
function originIn(error: unknown): string | null {
  if (error instanceof NoResponse) return error.origin;
  if (error instanceof VaultError) return 'the key of its stored session';
  if (!(error instanceof Error)) return null;
  const response = propertyOf(error, 'response');
  const isResponse = response instanceof Response;
  return isResponse ? (URL.parse(response.url)?.origin ?? null) : originIn(error.cause);
}

/** The client has tried to refresh it, and says nothing of why that failed. */
function isTokenRefused({ status, headers }: Response): boolean {
  const challenge = headers.get('www-authenticate') ?? '';
  return status === 401 && challenge.includes('error="invalid_token"');
}
