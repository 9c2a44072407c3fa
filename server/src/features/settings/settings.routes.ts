import { settingsGet, settingsUpdate } from '@meridian/contract/settings';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function settingsRoutes(app: FastifyInstance, { settings }: Context): void {
  register(app, settingsGet, () => settings.get());

  register(app, settingsUpdate, ({ actor, body }) => settings.update(actor, body));
}
