import { statsGet } from '@meridian/contract/stats';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function statsRoutes(app: FastifyInstance, { stats }: Context): void {
  register(app, statsGet, () => stats.get());
}
