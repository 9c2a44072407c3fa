import { randomUUID } from 'node:crypto';
import { fastify } from 'fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cidOfRecord } from '../identity.ts';

export type OAuthHost = Awaited<ReturnType<typeof startOAuthHost>>;

export const DID = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';
export const HANDLE = 'alice.test';

/** The token endpoint does this instead of a refresh. */
export type RefreshFault = 'bad gateway' | 'html' | 'cut' | 'refused' | null;

/**
 * One account's host, authorization server and directory in one. A refresh token works once; using it
 * again revokes the session, as the reference PDS does.
 */
export async function startOAuthHost(options: { pds?: string } = {}) {
  const app = fastify({ forceCloseConnections: true });
  const requests = new Map<string, URLSearchParams>();
  const codes = new Set<string>();
  const host = {
    url: '',
    /** As the directory says it: the account's handle, and the host that it is on; null: this one. */
    handle: HANDLE,
    pds: options.pds ?? null,
    knowsHandles: true,
    /** Every token that was ever given out. */
    tokens: [] as string[],
    refreshes: 0,
    replays: 0,
    refreshFault: null as RefreshFault,
    /** The resource server refuses every token. */
    refusesTokens: false,
    /** The last request to the token endpoint. */
    tokenRequest: new URLSearchParams(),
    /** A write is carried out, and the connection ends instead of a response. */
    cutsWrites: false,
    writes: [] as unknown[],
    current: null as { access: string; refresh: string } | null,
    /** The query that the browser brings back after the member agreed, or did not. */
    consent(address: URL, answer: 'agree' | 'deny' = 'agree'): URLSearchParams {
      const request = requests.get(address.searchParams.get('request_uri') ?? '');
      const query = new URLSearchParams({ state: request?.get('state') ?? '', iss: host.url });
      const code = randomUUID();
      if (answer === 'agree') codes.add(code);
      query.set(answer === 'agree' ? 'code' : 'error', answer === 'agree' ? code : 'access_denied');
      return query;
    },
    /** The client's directories, instead of the public ones. */
    directories: () => ({ plcDirectoryUrl: host.url, handleResolver: host.url, allowHttp: true }),
    close: () => app.close(),
  };

  function issue() {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    host.tokens.push(access, refresh);
    host.current = { access, refresh };
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: 'DPoP',
      scope: 'atproto',
      expires_in: 3_600,
      sub: DID,
    };
  }

  function refreshed(form: URLSearchParams, reply: FastifyReply) {
    const isCurrent = form.get('refresh_token') === host.current?.refresh;
    if (!isCurrent) host.replays += 1;
    if (!isCurrent || host.refreshFault === 'refused') {
      host.current = null;
      return reply.code(400).send({ error: 'invalid_grant', error_description: 'Revoked' });
    }
    if (host.refreshFault === 'bad gateway') return reply.code(502).send({ error: 'bad_gateway' });
    if (host.refreshFault === 'html') return reply.code(502).type('text/html').send('<p>Sorry');
    if (host.refreshFault === 'cut') return reply.hijack().raw.destroy();
    host.refreshes += 1;
    return issue();
  }

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: FastifyRequest, body: string) => new URLSearchParams(body),
  );
  app.addContentTypeParser(
    'image/png',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => body,
  );
  app.get('/:did', async (request: FastifyRequest<{ Params: { did: string } }>, reply) =>
    request.params.did === DID
      ? didDocument(host.handle, host.pds ?? host.url)
      : reply.code(404).send({}),
  );
  app.get(
    '/xrpc/com.atproto.identity.resolveHandle',
    async (request: FastifyRequest<{ Querystring: { handle?: string } }>, reply) =>
      host.knowsHandles && request.query.handle === host.handle
        ? { did: DID }
        : reply.code(400).send({ error: 'InvalidRequest', message: 'Unable to resolve handle' }),
  );
  app.get('/xrpc/com.atproto.repo.getRecord', async () => ({
    uri: `at://${DID}/app.bsky.actor.profile/self`,
    value: { displayName: 'Alice', avatar: { ref: { $link: AVATAR } } },
  }));
  app.get('/.well-known/oauth-protected-resource', async () => ({
    resource: host.url,
    authorization_servers: [host.url],
  }));
  app.get('/.well-known/oauth-authorization-server', async () => serverMetadata(host.url));
  app.post('/oauth/par', async (request: FastifyRequest<{ Body: URLSearchParams }>, reply) => {
    const name = `urn:ietf:params:oauth:request_uri:${randomUUID()}`;
    requests.set(name, request.body);
    return reply.code(201).send({ request_uri: name, expires_in: 300 });
  });
  app.post('/oauth/token', async (request: FastifyRequest<{ Body: URLSearchParams }>, reply) => {
    host.tokenRequest = request.body;
    if (request.body.get('grant_type') === 'refresh_token') return refreshed(request.body, reply);
    if (codes.delete(request.body.get('code') ?? '')) return issue();
    return reply.code(400).send({ error: 'invalid_grant' });
  });
  app.post('/oauth/revoke', async () => {
    host.current = null;
    return {};
  });
  app.post('/xrpc/:method', async (request, reply) => {
    const isKnown = request.headers.authorization === `DPoP ${host.current?.access}`;
    if (!isKnown || host.refusesTokens) {
      return reply
        .code(401)
        .header('www-authenticate', 'DPoP error="invalid_token"')
        .send({ error: 'invalid_token' });
    }
    host.writes.push(request.body);
    if (host.cutsWrites) return reply.hijack().raw.destroy();
    const { record } = request.body as { record?: unknown };
    return { uri: `at://${DID}`, cid: cidOfRecord(record ?? {}), commit: {} };
  });
  host.url = await app.listen({ host: '127.0.0.1', port: 0 });
  return host;
}

const AVATAR = `bafkrei${'a'.repeat(52)}`;

function didDocument(handle: string, serviceEndpoint: string) {
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: DID,
    alsoKnownAs: [`at://${handle}`],
    verificationMethod: [],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint }],
  };
}

function serverMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    require_pushed_authorization_requests: true,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256'],
    dpop_signing_alg_values_supported: ['ES256'],
    scopes_supported: ['atproto'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
