import { deliveryGet } from '@meridian/contract/deliveries';
import { engineGet } from '@meridian/contract/engine';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function engineRoutes(app: FastifyInstance, { engine, deliveries }: Context): void {
  register(app, engineGet, () => engine.get());

  register(app, deliveryGet, async ({ params }) => ({ delivery: await deliveries.get(params.id) }));
}
