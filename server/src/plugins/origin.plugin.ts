import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
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
      allowedHeaders: 'Authorization, Content-Type, If-Match, Idempotency-Key',
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
