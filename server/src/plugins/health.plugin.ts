import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process answers. `/readyz`: it can do its work too. */
export function healthRoutes(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  const readiness = sharedWhileAsked(() =>
    isReady().catch((error: unknown) => {
      app.log.warn({ err: error }, 'Not ready');
      return false;
    }),
  );

  app.get('/healthz', { config: { anyHost: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { config: { anyHost: true } }, async (_, reply) => {
    const ready = await readiness();
    if (!ready) reply.code(503).header('retry-after', '2');
    return { status: ready ? 'ok' : 'unavailable' };
  });
}

/**
 * Whoever asks while an answer is under way gets that one. Anybody may ask as often as they like: were
 * each a query of its own, they would take the connections from those who work.
 */
function sharedWhileAsked(ask: () => Promise<boolean>): () => Promise<boolean> {
  let underWay: Promise<boolean> | null = null;
  return () => {
    underWay ??= ask().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
