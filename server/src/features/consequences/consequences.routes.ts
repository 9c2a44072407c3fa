import { consequenceGet } from '@meridian/contract/consequences';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';
import { isUuid } from '../../http/uuid.ts';
import { CONSEQUENCES } from '../nouns.ts';

export function consequencesRoutes(app: FastifyInstance, { db }: Context): void {
  // A row that is not known has none: the change itself says that it is unknown.
  register(app, consequenceGet, async ({ query: { of, id = '' } }) => ({
    sentences: of === 'closedBeta' || isUuid(id) ? await CONSEQUENCES[of](db, id) : [],
  }));
}
