import type { FastifyInstance } from 'fastify';
import { AppError } from '../http/app-error.ts';

const MAX_IN_FLIGHT = 64;
const RETRY_AFTER_SECONDS = 2;

/**
 * A bound on requests under way in this scope. The queue of an overloaded server forms in front of
 * the database, where the event loop looks healthy; refusing at once keeps the rest quick.
 */
export function limitInFlight(scope: FastifyInstance, max = MAX_IN_FLIGHT): void {
  let inFlight = 0;
  scope.addHook('onRequest', (_, reply, done) => {
    if (inFlight >= max) {
      return done(new AppError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }
    inFlight += 1;
    // 'close' comes exactly once, whether the answer was sent or the client went away.
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    done();
  });
}
