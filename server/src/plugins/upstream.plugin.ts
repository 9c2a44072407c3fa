import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { allowTime } from '../http/call-time.ts';

const API_PATH = '/api/admin/';
const ANSWER_TIMEOUT_MS = 30_000;
const CALL_LIMIT_MS = ANSWER_TIMEOUT_MS + 5_000;
/** What concerns one connection only, and what this server says itself. */
const NOT_PASSED_ON = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
]);

/** Passes the API through to the service that owns it, byte for byte in both directions. */
export async function upstreamRoutes(app: FastifyInstance, upstream: URL): Promise<void> {
  await app.register(async (scope) => {
    // The body goes on as it comes; what it may hold is the other service's matter.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (_: FastifyRequest, payload: Readable) => payload);
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: `${API_PATH}*`,
      handler: async (request, reply) => {
        const address = addressOf(upstream, request.url);
        if (address === null) throw new AppError('not_found');
        allowTime(request, CALL_LIMIT_MS);
        const answer = await exchange(request, address);
        // The other service's headers win over this server's defaults.
        return reply
          .code(answer.statusCode ?? 502)
          .headers(passedOn(answer.headers))
          .send(answer);
      },
    });
  });
}

/** Null for what is not of the API: two dots, also in disguise, or another host lead out of it. */
function addressOf(upstream: URL, url: string): URL | null {
  const base = upstream.href.replace(/\/$/, '');
  const address = URL.parse(base + url);
  return address?.href.startsWith(`${base}${API_PATH}`) === true ? address : null;
}

function exchange(request: FastifyRequest, address: URL): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    ...passedOn(request.headers),
    'x-forwarded-for': request.ip,
    'x-forwarded-proto': request.protocol,
    'x-forwarded-host': request.host,
    'x-request-id': request.id,
  };
  const onward = send(address, { method: request.method, headers }, resolve);
  onward.setTimeout(ANSWER_TIMEOUT_MS, () => onward.destroy(new Error('No answer in time')));
  onward.on('error', (cause) => reject(new AppError('upstream_failed', { cause })));
  // A client that goes away ends the exchange.
  request.raw.once('close', () => {
    if (!request.raw.complete) onward.destroy();
  });
  if (request.body instanceof Readable) request.body.pipe(onward);
  else onward.end();
  return promise;
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const perConnection = new Set(headers.connection?.toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || NOT_PASSED_ON.has(name) || perConnection.has(name)
        ? []
        : [[name, value]],
    ),
  );
}
