import type { FastifyInstance } from 'fastify';
import { AppError } from '../http/app-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-Match, Idempotency-Key',
  'access-control-max-age': '600',
} as const;

/** Other sites: the listed origins may read answers, nobody else may change anything. */
export function checkOrigin(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  const allowed = new Set(allowedOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (allowed.size > 0) reply.header('vary', 'Origin');
    if (isAllowed) {
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', 'ETag, Retry-After, X-Request-Id');
      if (request.method === 'OPTIONS' && 'access-control-request-method' in request.headers) {
        reply.code(204).headers(PREFLIGHT).send();
        return;
      }
    }
    // A bearer token is never sent by the browser alone, so this is a second wall.
    const isCrossSite = request.headers['sec-fetch-site'] === 'cross-site';
    const isRefused = isCrossSite && !isAllowed && !SAFE_METHODS.has(request.method);
    done(isRefused ? new AppError('forbidden_origin') : undefined);
  });
}
