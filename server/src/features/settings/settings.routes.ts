import { settingsGet, settingsUpdate } from '@meridian/contract/settings';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { expectedBy, tagged } from '../../http/entity-version.ts';
import { register } from '../../http/register.ts';

export function settingsRoutes(app: FastifyInstance, { settings }: Context): void {
  register(app, settingsGet, async ({ reply }) => tagged(reply, await settings.get()));

  register(app, settingsUpdate, async ({ actor, body, request, reply }) =>
    tagged(reply, await settings.update(actor, body, expectedBy(request))),
  );
}
