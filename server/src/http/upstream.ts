import replyFrom from '@fastify/reply-from';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import { authMe } from '@meridian/contract/auth';
import { errorCode } from '@meridian/embedded-postgres/folders';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import { Agent, Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { hashToken } from '../features/sessions/sessions.service.ts';
import { readBody } from './bodies.ts';
import { AppError } from './errors.ts';
import { canonicalAddress, networkOf } from './guards.ts';
import type { IsTrustedProxy } from './guards.ts';
import { allowTime, limitInFlight } from './limits.ts';

const RESPONSE_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
const CALL_LIMIT_MS = RESPONSE_TIMEOUT_MS + 5_000;
/** RFC 9110 gives a body in these no meaning; servers disagree on whether it is read. */
const BODYLESS = new Set(['GET', 'HEAD']);

const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** The body is received whole, so that every request upstream is complete and framed by its length alone. */
export async function upstreamRoutes(app: FastifyInstance, upstream: URL): Promise<void> {
  const basePath = upstream.pathname.replace(/\/$/, '');
  const requests = abortableRequests(upstream);
  // A stopping server would wait for these streams until their clients go.
  const eventStreams = new Set<Readable>();
  await app.register(async (scope) => {
    limitInFlight(scope);
    scope.addHook('preClose', (done) => {
      for (const stream of eventStreams) stream.destroy();
      done();
    });
    scope.addHook('onClose', () => requests.close());
    await scope.register(replyFrom, {
      base: upstream.origin,
      undici: requests.requester,
      disableCache: true,
      disableRequestLogging: true,
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request: FastifyRequest, body: Readable) =>
      readBody(body, request.routeOptions.bodyLimit),
    );
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/api/admin/*',
      onRequest: (request, reply, done) => {
        const message = framingFault(request);
        if (message === null) return done();
        reply.header('connection', 'close');
        done(new AppError('invalid_input', { message }));
      },
      handler: (request, reply) => {
        const target = upstreamTarget(request.url);
        if (target === null) throw new AppError('invalid_input');
        allowTime(request, CALL_LIMIT_MS);
        const { body } = request;
        const options: FastifyReplyFromHooks = {
          queryString: () => target.query,
          ...(Buffer.isBuffer(body) && {
            body,
            contentType: request.headers['content-type'] ?? 'application/octet-stream',
          }),
          rewriteRequestHeaders: (_, headers) => requestHeaders(request, headers),
          rewriteHeaders: responseHeaders,
          // The service may close a connection while it is idle; that is no failure.
          retryDelay: ({ err, req, attempt }) =>
            attempt === 0 && BODYLESS.has(req.method) && CLOSED.has(errorCode(err) ?? '')
              ? 1
              : null,
          onError: (failed, { error }) =>
            void failed.send(new AppError('upstream_failed', { cause: error })),
          onResponse: (asked, passed, response) => {
            // An unknown status has already become an error response.
            if (passed.sent) {
              response.stream.destroy();
              return;
            }
            // A list, a file or a stream may take long; only silence ends it from here on.
            asked.dueAt = Infinity;
            if (/^text\/event-stream\b/i.test(String(passed.getHeader('content-type')))) {
              eventStreams.add(response.stream);
              response.stream.once('close', () => eventStreams.delete(response.stream));
            }
            void passed.send(response.stream);
          },
        };
        return requests.whileConnected(reply, () =>
          reply.from(`${basePath}${target.path}`, options),
        );
      },
    });
  });
}

/** Node's parser lets such a framing through, but two servers might read it in two ways. */
function framingFault({ method, headers }: FastifyRequest): string | null {
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return 'The only transfer coding is chunked';
  }
  const hasBody = coding !== undefined || Number(length ?? 0) > 0;
  return hasBody && BODYLESS.has(method) ? 'A GET or HEAD request has no body' : null;
}

const API_PATH = '/api/admin/';
/** A URL parser would read the delimiters of MISREAD as a fragment or as a slash. */
const READABLE = /^[!-~]+$/;
const MISREAD = /[#\\]/;
/** A second decoding would turn these into a separator or another character. */
const DECODED_TWICE = /[/\\\p{Cc}]|%[0-9a-f]{2}/iu;
/** A segment with path parameters counts too: `..;x` is `..` to some servers. */
const DOTS = /^\.{1,2}(?:;|$)/;

/** The check is stricter than URL parsing because the two sides may decode differently. */
function upstreamTarget(url: string): { path: string; query: string } | null {
  if (!READABLE.test(url) || MISREAD.test(url)) return null;
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/.exec(url) ?? [];
  if (!path.startsWith(API_PATH)) return null;
  const segments = path.slice(API_PATH.length).split('/');
  return segments.every(isPlain) ? { path, query } : null;
}

function isPlain(segment: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return false;
  }
  return decoded !== '' && !DECODED_TWICE.test(decoded) && !DOTS.test(decoded);
}

/** Cookies, forwarding headers and overrides of the path or method are not passed on. */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'last-event-id',
  'user-agent',
  'x-background',
  'x-reason',
] as const;

/** Cookies, hop-by-hop headers and headers that would speak for this origin are not passed back. */
const RESPONSE_HEADERS = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'location',
  'retry-after',
  'vary',
  'www-authenticate',
  // This header keeps a proxy in front from collecting the events of a stream.
  'x-accel-buffering',
  'x-request-id',
]);

type Headers = Record<string, string | string[] | undefined>;

function requestHeaders(request: FastifyRequest, received: Headers): Headers {
  const passed = REQUEST_HEADERS.flatMap((name) => {
    const value = received[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    host: received['host'],
    'x-forwarded-for': canonicalAddress(request.ip) ?? 'unknown',
    'x-forwarded-proto': request.protocol,
    'x-forwarded-host': request.host,
    'x-request-id': request.id,
  };
}

function responseHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => RESPONSE_HEADERS.has(name)));
}

/** nginx logs this status for a client that went away before the response. */
const CLIENT_CLOSED_REQUEST = 499;

type Callback = (error: Error | null, data: Dispatcher.ResponseData) => void;

/** reply-from would wait for the response of a client that left, and its slot would be taken for ever. */
function abortableRequests(upstream: URL) {
  // The pool of reply-from would not verify certificates. A stream of events takes a connection for hours.
  const pool = new Pool(upstream.origin, {
    pipelining: 1,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  // reply-from has no way to hand a signal on to its request.
  const clientGone = new AsyncLocalStorage<AbortSignal>();

  function request(options: Dispatcher.RequestOptions, callback: Callback): void {
    const gone = clientGone.getStore();
    pool.request({ ...options, signal: gone }, (error, data) => {
      // The reply is settled already; reply-from would log a failure.
      if (gone?.aborted !== true) callback(error, data);
    });
  }

  return {
    requester: { request: request as Dispatcher['request'] },

    whileConnected<T>(reply: FastifyReply, work: () => T): T {
      const gone = new AbortController();
      reply.raw.once('close', () => {
        gone.abort();
        if (!reply.sent) void reply.code(CLIENT_CLOSED_REQUEST).send();
      });
      return clientGone.run(gone.signal, work);
    },

    close: () => pool.destroy(),
  };
}

const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

/** The warning comes once per process, because any client may send such a header and could fill the log. */
export function warnOfUntrustedForwarding(app: FastifyInstance, isTrusted: IsTrustedProxy): void {
  let hasWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const header = hasWarned
      ? undefined
      : FORWARDING_HEADERS.find((name) => name in request.headers);
    const peer = request.socket.remoteAddress;
    if (header === undefined || isTrusted(peer)) return done();
    hasWarned = true;
    request.log.warn(
      { peer: canonicalAddress(peer), header },
      'All clients behind this peer share one login rate limit, because its forwarding headers are not trusted: if it is your proxy, add its address to TRUST_PROXY',
    );
    done();
  });
}

const BEARER = /^Bearer ([!-~]{1,4096})$/i;
const TIMEOUT_MS = 5_000;
/** The other service keeps the accounts; here sessions are told apart by their tokens alone. */
const ADMIN = { adminId: 'upstream', username: 'upstream', displayName: null };

export function requireUpstreamSession(scope: FastifyInstance, upstream: URL): void {
  const agent = new Agent();
  scope.addHook('onClose', () => agent.destroy());
  const path = upstream.pathname.replace(/\/$/, '') + authMe.path;

  async function statusOf(authorization: string): Promise<number> {
    try {
      const { statusCode, body } = await agent.request({
        method: authMe.method,
        origin: upstream.origin,
        path,
        headers: { authorization },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body.dump();
      return statusCode;
    } catch (cause) {
      throw new AppError('upstream_failed', { cause });
    }
  }

  scope.decorateRequest('actor');
  scope.addHook('onRequest', async (request) => {
    const { authorization = '' } = request.headers;
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw new AppError('unauthenticated');
    const status = await statusOf(authorization);
    if (status === 401) throw new AppError('session_ended');
    if (status !== 200) throw new AppError('upstream_failed');
    const { id: requestId, ip } = request;
    request.actor = { ...ADMIN, tokenHash: hashToken(token), requestId, network: networkOf(ip) };
  });
}
