import { findGet } from '@meridian/contract/find';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function findRoutes(app: FastifyInstance, { find }: Context): void {
  register(app, findGet, async ({ query }) => ({ results: await find.find(query.q) }));
}
