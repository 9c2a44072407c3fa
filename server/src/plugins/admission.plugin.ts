import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';

const MAX_IN_FLIGHT = 64;
const MAX_PER_PERSON = 48;
/** Created once: under overload, creating thousands a second would cost. */
const REFUSAL = new AppError('unavailable', { retryAfterSeconds: 2 });

/**
 * Limits the requests in flight in this scope. The queue of an overloaded server forms in front of
 * the database, where the event loop looks healthy; refusing at once keeps the rest quick.
 *
 * A slot is taken only while the handler runs, not while the body is received or the response is
 * written: both take as long as the client likes. A client that disconnects does not free it early.
 */
export function limitInFlight(
  scope: FastifyInstance,
  max = MAX_IN_FLIGHT,
  ownerOf: (request: FastifyRequest) => string = () => '',
): void {
  const underWay = new Map<string, Set<FastifyReply>>();

  function enter(reply: FastifyReply, done: (refusal?: Error) => void): void {
    const owner = ownerOf(reply.request);
    const own = underWay.get(owner) ?? new Set();
    if (own.size >= max) return done(REFUSAL);
    underWay.set(owner, own.add(reply));
    done();
  }

  function leave(reply: FastifyReply, done: () => void): void {
    const owner = ownerOf(reply.request);
    const own = underWay.get(owner);
    own?.delete(reply);
    if (own?.size === 0) underWay.delete(owner);
    done();
  }

  scope.addHook('onRequest', (_, reply, done) => enter(reply, done));
  scope.addHook('preParsing', (_, reply, _body, done) => leave(reply, done));
  scope.addHook('preValidation', (_, reply, done) => enter(reply, done));
  scope.addHook('onSend', (_, reply, _payload, done) => leave(reply, done));
}

/** After the session is known: a quarter of the slots is left to others, whatever one person sends. */
export function limitInFlightPerPerson(scope: FastifyInstance, max = MAX_PER_PERSON): void {
  limitInFlight(scope, max, ({ member }) => member?.userId ?? '');
}
