import { handoverUpdate, nowGet } from '@meridian/contract/now';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { expectedBy, tagged } from '../../http/entity-version.ts';
import { register } from '../../http/register.ts';

export function nowRoutes(app: FastifyInstance, { now }: Context): void {
  register(app, nowGet, ({ actor }) => now.get(actor.adminId));

  register(app, handoverUpdate, async ({ actor, body, request, reply }) => ({
    handover: tagged(reply, await now.saveHandover(actor, body.text, expectedBy(request))),
  }));
}
