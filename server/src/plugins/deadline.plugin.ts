import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../http/app-error.ts';

const LIMIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 2;
/** How much later than its limit a request may hear of it. */
const SWEEP_MS = 250;

/**
 * Nobody waits for an answer longer than this, unless the call allows itself more (`allowTime`).
 * The time in which a body arrives is the client's own; the server's request timeout bounds it.
 * Fastify's own `handlerTimeout` gives up its watch as soon as a body has been read, and makes a
 * timer and an AbortController for every request, which the short ones feel.
 */
export function limitTime(app: FastifyInstance, limitMs = LIMIT_MS, sweepMs = SWEEP_MS): void {
  const unanswered = new Set<FastifyReply>();
  let isWatching = false;

  function watch(): void {
    if (isWatching) return;
    isWatching = true;
    setTimeout(sweep, sweepMs).unref();
  }

  function sweep(): void {
    isWatching = false;
    const now = performance.now();
    for (const reply of unanswered) {
      if (reply.raw.destroyed) unanswered.delete(reply);
      else if (reply.request.dueAt <= now) giveUp(reply);
    }
    if (unanswered.size > 0) watch();
  }

  function giveUp(reply: FastifyReply): void {
    unanswered.delete(reply);
    if (reply.sent) return;
    // Half an answer can only be cut off.
    if (reply.raw.headersSent) reply.raw.destroy();
    else reply.send(new AppError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  function watchOver(reply: FastifyReply): void {
    unanswered.add(reply);
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
    unanswered.delete(reply);
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    // Whoever was told in the meantime that it took too long must not find it done after all.
    if (request.raw.socket.writableEnded) return done(new AppError('invalid_input'));
    request.dueAt += performance.now() - request.bodyAwaitedAt;
    watchOver(reply);
    done();
  });
  app.addHook('onResponse', (_, reply, done) => {
    unanswered.delete(reply);
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** By `performance.now()`; who has no answer by then is refused. */
    dueAt: number;
    /** By the same clock: since when its body is on the way. */
    bodyAwaitedAt: number;
  }
}
