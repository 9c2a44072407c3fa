import type { FastifyInstance } from 'fastify';
import type { WriteProblem } from '../db/write-check.ts';

export type NotReadyReason = WriteProblem | 'database' | 'schema';

export function healthRoutes(
  app: FastifyInstance,
  askReason: () => Promise<NotReadyReason | null>,
): void {
  const notReady = sharedWhileAsked(async () => {
    try {
      const reason = await askReason();
      if (reason !== null) app.log.warn({ reason }, 'Not ready');
      return reason;
    } catch (error) {
      app.log.warn({ err: error, reason: 'database' }, 'Not ready');
      return 'database' as const;
    }
  });

  app.get('/healthz', { config: { anyHost: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { config: { anyHost: true } }, async (_, reply) => {
    const reason = await notReady();
    if (reason === null) return { status: 'ok' };
    reply.code(503).header('retry-after', '2');
    return { status: 'unavailable', reason };
  });
}

/** The route needs no session: a query per request would take the connections from the administrators. */
function sharedWhileAsked<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () =>
    (underWay ??= ask().finally(() => {
      underWay = null;
    }));
}
