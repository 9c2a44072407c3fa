import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../http/client-network.ts';

/** One log line per request. The pattern of the route, not its URL: no ids, no search texts. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify has no hook for a connection that closes before the end of the response.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) logRequest(request, reply, { aborted: true });
    });
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    // Of a failed write too, which is reported when the connection closes.
    if (reply.raw.writableFinished) logRequest(request, reply, {});
  });
}

function logRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: { aborted?: true },
): void {
  const route = request.routeOptions.url ?? 'unknown';
  const isCall = route.startsWith('/api/');
  const line = {
    method: request.method,
    route,
    // Until the headers are sent there is no status.
    status: reply.raw.headersSent ? reply.statusCode : null,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...outcome,
    ...(request.actor && { admin: request.actor.adminId }),
    ...(isCall && { network: request.actor?.network ?? networkOf(request.ip) }),
  };
  // Files of the console would bury what administrators do.
  const level = isCall || reply.statusCode >= 400 ? 'info' : 'debug';
  request.log[level](line, 'Request');
}
