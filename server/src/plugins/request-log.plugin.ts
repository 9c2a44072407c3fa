import type { FastifyInstance } from 'fastify';
import { networkOf } from '../http/client-network.ts';

/** One log line per completed request. The pattern of the route, not its URL: no ids, no search texts. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const isCall = route.startsWith('/api/');
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.actor && { admin: request.actor.adminId }),
      ...(isCall && { network: networkOf(request.ip) }),
    };
    // Files of the console would bury what administrators do.
    const level = isCall || line.status >= 400 ? 'info' : 'debug';
    request.log[level](line, 'Request');
  });
}
