import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../http/app-error.ts';

const MAX_IN_FLIGHT = 64;
/** Created once: under overload, creating thousands a second would cost. */
const REFUSAL = new AppError('unavailable', { retryAfterSeconds: 2 });

/**
 * Limits the requests in flight in this scope. The queue of an overloaded server forms in front of
 * the database, where the event loop looks healthy; refusing at once keeps the rest quick.
 *
 * A slot is taken only while the handler runs, not while the body is received or the response is
 * written: both take as long as the client likes. A client that disconnects does not free it early.
 */
export function limitInFlight(scope: FastifyInstance, max = MAX_IN_FLIGHT): void {
  const underWay = new Set<FastifyReply>();

  function enter(reply: FastifyReply, done: (refusal?: Error) => void): void {
    if (underWay.size >= max) return done(REFUSAL);
    underWay.add(reply);
    done();
  }

  scope.addHook('onRequest', (_, reply, done) => enter(reply, done));
  scope.addHook('preParsing', (_, reply, _body, done) => {
    underWay.delete(reply);
    done();
  });
  scope.addHook('preValidation', (_, reply, done) => enter(reply, done));
  scope.addHook('onSend', (_, reply, _payload, done) => {
    underWay.delete(reply);
    done();
  });
}
