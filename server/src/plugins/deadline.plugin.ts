import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../http/app-error.ts';

const LIMIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 2;
/** How much later than its timeout a request may be refused. */
const SWEEP_MS = 250;

/**
 * The timeout of every request, unless the call allows itself more (`allowTime`). The time in which a
 * body arrives does not count; the server's request timeout bounds it. Fastify's own `handlerTimeout`
 * ends as soon as a body has been read, and creates a timer and an AbortController per request.
 */
export function limitTime(app: FastifyInstance, limitMs = LIMIT_MS, sweepMs = SWEEP_MS): void {
  const pending = new Set<FastifyReply>();
  let isWatching = false;

  function watch(): void {
    if (isWatching) return;
    isWatching = true;
    setTimeout(sweep, sweepMs).unref();
  }

  function sweep(): void {
    isWatching = false;
    const now = performance.now();
    for (const reply of pending) {
      if (reply.raw.destroyed) pending.delete(reply);
      else if (reply.request.dueAt <= now) giveUp(reply);
    }
    if (pending.size > 0) watch();
  }

  function giveUp(reply: FastifyReply): void {
    pending.delete(reply);
    if (reply.sent) return;
    // A response that has begun can only be cut off.
    if (reply.raw.headersSent) reply.raw.destroy();
    else reply.send(new AppError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  function watchOver(reply: FastifyReply): void {
    pending.add(reply);
    watch();
  }

  app.decorateRequest('dueAt', 0).decorateRequest('bodyAwaitedAt', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.dueAt = performance.now() + limitMs;
    watchOver(reply);
    done();
  });
  app.addHook('preParsing', (request, reply, _body, done) => {
    request.bodyAwaitedAt = performance.now();
    pending.delete(reply);
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    // A client that was told of a timeout must not find the change made after all.
    if (request.raw.socket.writableEnded) return done(new AppError('invalid_input'));
    request.dueAt += performance.now() - request.bodyAwaitedAt;
    watchOver(reply);
    done();
  });
  app.addHook('onResponse', (_, reply, done) => {
    pending.delete(reply);
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** By `performance.now()`; a request without a response by then is refused. */
    dueAt: number;
    /** By the same clock: since when its body is on the way. */
    bodyAwaitedAt: number;
  }
}
