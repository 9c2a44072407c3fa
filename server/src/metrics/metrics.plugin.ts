import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { databaseFamilies } from './database-metrics.ts';
import { CONTENT_TYPE, expose } from './exposition.ts';
import { measureProcess } from './process-metrics.ts';
import { measureRequests } from './request-metrics.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** `/metrics` for Prometheus, for whoever has the token; without a token set there is no such page. */
export async function metricsRoutes(
  app: FastifyInstance,
  token: string | null,
  context: Context | null,
): Promise<void> {
  if (token === null) {
    app.get('/metrics', () => {
      throw new AppError('not_found');
    });
    return;
  }
  const expected = hashOf(`Bearer ${token}`);
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
  const requests = measureRequests(app);
  const ownProcess = measureProcess(version);
  app.addHook('onClose', async () => ownProcess.stop());

  app.get('/metrics', { config: { anyHost: true } }, async (request, reply) => {
    // Hashes are of one length and tell nothing of how much of a guess was right.
    if (!timingSafeEqual(hashOf(request.headers.authorization ?? ''), expected)) {
      throw new AppError('unauthenticated');
    }
    const database = context === null ? [] : await databaseFamilies(context.db, context.log);
    return reply
      .type(CONTENT_TYPE)
      .send(expose([...requests(), ...ownProcess.families(), ...database]));
  });
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
