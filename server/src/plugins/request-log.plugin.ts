import type { FastifyInstance } from 'fastify';

/** One line per answered request. The pattern of the route, not its URL: no ids, no search texts. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.actor && { admin: request.actor.adminId }),
    };
    // Files of the console would bury what administrators do.
    const level = line.route.startsWith('/api/') || line.status >= 400 ? 'info' : 'debug';
    request.log[level](line, 'Request');
  });
}
