import {
  bulkGet,
  bulkList,
  bulkPreview,
  bulkResult,
  bulkStart,
  bulkStop,
} from '@meridian/contract/bulk';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../services.ts';
import { register } from '../../http/register.ts';

const SET_TIMEOUT = { timeoutMs: 20_000 };
const RESULT_TIMEOUT = { timeoutMs: 60_000 };

export function bulkRoutes(app: FastifyInstance, { bulk }: Context): void {
  register(app, bulkPreview, ({ actor, body }) => bulk.preview(actor, body), SET_TIMEOUT);

  register(
    app,
    bulkStart,
    async ({ actor, body }) => ({ change: await bulk.start(actor, body) }),
    SET_TIMEOUT,
  );

  register(app, bulkStop, async ({ actor, params }) => ({
    change: await bulk.stop(actor, params.id),
  }));

  register(app, bulkGet, async ({ params }) => ({ change: await bulk.get(params.id) }));

  register(app, bulkList, async () => ({ changes: await bulk.list() }));

  register(
    app,
    bulkResult,
    async ({ params, reply }) => {
      const result = await bulk.result(params.id);
      reply.type('text/csv; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="change-${params.id}.csv"`);
      return result;
    },
    RESULT_TIMEOUT,
  );
}
