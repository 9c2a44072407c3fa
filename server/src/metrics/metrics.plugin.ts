import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { readVersion } from '../version.ts';
import { databaseMetrics } from './database-metrics.ts';
import { measureRequests } from './request-metrics.ts';

/** `/metrics` for Prometheus, behind a token; without a token set there is no such route. */
export async function metricsRoutes(
  app: FastifyInstance,
  token: string | null,
  context: Context | null,
  engine: Registry | null,
): Promise<void> {
  if (token === null) {
    app.get('/metrics', () => {
      throw new AppError('not_found');
    });
    return;
  }
  const expected = hashOf(`Bearer ${token}`);
  // Not the global one: several apps may run in one process, as in tests.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  await reportBuild(registry);
  measureRequests(app, registry);
  const readDatabase = context && databaseMetrics(registry, context.db, context.log);

  app.get('/metrics', { config: { anyHost: true } }, async (request, reply) => {
    // Hashes have one length, and their comparison reveals nothing about a partly right guess.
    if (!timingSafeEqual(hashOf(request.headers.authorization ?? ''), expected)) {
      throw new AppError('unauthenticated');
    }
    await readDatabase?.();
    const all = engine === null ? registry : Registry.merge([registry, engine]);
    return reply.type(registry.contentType).send(await all.metrics());
  });
}

async function reportBuild(registry: Registry): Promise<void> {
  const build = new Gauge({
    name: 'meridian_build_info',
    help: 'Always 1; the labels name what runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: await readVersion(), node: process.versions.node }, 1);
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
