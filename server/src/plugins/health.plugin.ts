import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process answers. `/readyz`: it can do its work too. */
export function healthRoutes(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', { config: { anyHost: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { config: { anyHost: true } }, async (request, reply) => {
    const ready = await isReady().catch((error: unknown) => {
      request.log.warn({ err: error }, 'Not ready');
      return false;
    });
    if (!ready) reply.code(503).header('retry-after', '2');
    return { status: ready ? 'ok' : 'unavailable' };
  });
}
