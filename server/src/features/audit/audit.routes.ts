import { auditList, auditReverse } from '@meridian/contract/audit';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function auditRoutes(app: FastifyInstance, { audit }: Context): void {
  register(app, auditList, ({ query }) => audit.list(query));

  register(app, auditReverse, async ({ actor, params }) => {
    await audit.reverse(actor, params.id);
    return { success: true as const };
  });
}
