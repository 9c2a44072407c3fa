import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../http/app-error.ts';

const MAX_IN_FLIGHT = 64;
/** Made once: under overload the making of thousands a second is felt. */
const REFUSAL = new AppError('unavailable', { retryAfterSeconds: 2 });

/**
 * A bound on requests that are worked on in this scope. The queue of an overloaded server forms in
 * front of the database, where the event loop looks healthy; refusing at once keeps the rest quick.
 *
 * A place is held by work alone: not while a body arrives, nor while an answer is read, for both
 * take as long as the other side likes; and until there is an answer, also for who has gone away.
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
  scope.addHook('onSend', (_, reply, _answer, done) => {
    underWay.delete(reply);
    done();
  });
}
