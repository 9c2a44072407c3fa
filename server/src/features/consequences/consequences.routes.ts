import { consequenceGet } from '@meridian/contract/consequences';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function consequencesRoutes(app: FastifyInstance, { consequences }: Context): void {
  register(app, consequenceGet, async ({ query }) => ({
    sentences: await consequences.get(query),
  }));
}
