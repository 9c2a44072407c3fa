import cors from '@fastify/cors';
import { BACKGROUND_HEADER } from '@meridian/contract/requests';
import { REASON_HEADER } from '@meridian/contract/requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Other sites: pages of the listed origins may call the API, all others may change nothing. */
export async function checkOrigin(
  app: FastifyInstance,
  allowedOrigins: readonly string[],
): Promise<void> {
  const allowed = new Set(allowedOrigins);
  const isAllowed = (origin: string | undefined) => origin !== undefined && allowed.has(origin);
  if (allowed.size > 0) {
    await app.register(cors, {
      // A function, because a list lets the preflight of any other origin succeed without its header.
      origin: (origin, callback) => callback(null, isAllowed(origin)),
      methods: 'GET, POST, PUT, PATCH, DELETE',
      allowedHeaders: `Authorization, Content-Type, If-Match, Idempotency-Key, Last-Event-ID, ${REASON_HEADER}, ${BACKGROUND_HEADER}`,
      exposedHeaders: 'ETag, Retry-After, X-Request-Id',
      maxAge: 600,
    });
  }
  // A browser never sends a bearer token by itself, so this is a second line of defence.
  app.addHook('onRequest', (request, _, done) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isRefused =
      site === 'cross-site' && !isAllowed(origin) && !SAFE_METHODS.has(request.method);
    done(isRefused ? new AppError('forbidden_origin') : undefined);
  });
}

/**
 * A browser adds cookies to the requests of any site, so a change has to come from our own pages.
 * `Sec-Fetch-Site` cannot be forged by a page; an older browser sends `Origin`. A client that sends
 * neither is no browser.
 */
export function requireSameOrigin(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _, done) => {
    const isAllowed = SAFE_METHODS.has(request.method) || isSameOrigin(request);
    done(isAllowed ? undefined : new AppError('forbidden_origin'));
  });
}

function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || URL.parse(headers.origin)?.host === host;
}
