import type { Readable } from 'node:stream';
import replyFrom from '@fastify/reply-from';
import type { FastifyReplyFromHooks } from '@fastify/reply-from';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canonicalAddress } from '../http/client-network.ts';
import { AppError } from '../http/app-error.ts';
import { allowTime } from '../http/call-time.ts';
import { codeOf } from '../http/error-of.ts';
import { readBody } from '../http/read-body.ts';
import { limitInFlight } from './admission.plugin.ts';
import { abortableRequests, RESPONSE_TIMEOUT_MS } from './upstream-requests.ts';
import { upstreamTarget } from './upstream-path.ts';

const CALL_LIMIT_MS = RESPONSE_TIMEOUT_MS + 5_000;
/** RFC 9110 gives a body in these no meaning; servers disagree on whether it is read. */
const BODYLESS = new Set(['GET', 'HEAD']);

/** What a request meets on a connection that the other side has just closed: its end, or a reset. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Everything else stays here: cookies, forwarding headers of the client, overrides of the path or method. */
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

/** Everything else stays behind: cookies, hop-by-hop headers, and what would speak for this origin. */
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
  // Or a proxy in front collects the events of a stream before it passes them on.
  'x-accel-buffering',
  'x-request-id',
]);

/**
 * Passes the API through to the service that owns it. The body is received whole before the first
 * byte goes out, so every request upstream is complete and framed by its length alone.
 */
export async function upstreamRoutes(app: FastifyInstance, upstream: URL): Promise<void> {
  const basePath = upstream.pathname.replace(/\/$/, '');
  const requests = abortableRequests(upstream);
  const streams = createStreams();
  await app.register(async (scope) => {
    limitInFlight(scope);
    scope.addHook('preClose', (done) => {
      streams.destroy();
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
          // A connection that the service closed while it was idle is no failure of the service.
          retryDelay: ({ err, req, attempt }) =>
            attempt === 0 && BODYLESS.has(req.method) && CLOSED.has(codeOf(err)) ? 1 : null,
          onError: (failed, { error }) =>
            void failed.send(new AppError('upstream_failed', { cause: error })),
          onResponse: (asked, answered, response) => {
            // An unknown status has already become an error response.
            if (answered.sent) {
              response.stream.destroy();
              return;
            }
            // A list, a file or a stream of events takes its time; only silence ends it from here on.
            asked.dueAt = Infinity;
            if (isEventStream(answered)) streams.add(response.stream);
            void answered.send(response.stream);
          },
        };
        return requests.whileConnected(reply, () =>
          reply.from(`${basePath}${target.path}`, options),
        );
      },
    });
  });
}

/** What Node's parser lets through, but two servers might read in two ways. */
function framingFault({ method, headers }: FastifyRequest): string | null {
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return 'The only transfer coding is chunked';
  }
  const hasBody = coding !== undefined || Number(length ?? 0) > 0;
  return hasBody && BODYLESS.has(method) ? 'A GET or HEAD request has no body' : null;
}

function isEventStream(reply: Pick<FastifyReply, 'getHeader'>): boolean {
  return /^text\/event-stream\b/i.test(String(reply.getHeader('content-type')));
}

/** Streams of events, which would last until their clients go: a stopping server would wait for them. */
function createStreams() {
  const open = new Set<Readable>();
  return {
    add(stream: Readable): void {
      open.add(stream);
      stream.once('close', () => open.delete(stream));
    },
    destroy(): void {
      for (const stream of open) stream.destroy();
    },
  };
}

type Headers = Record<string, string | string[] | undefined>;

/** `received` are the client's headers without those that its Connection header names. */
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
