import { verdictGet } from '@meridian/contract/verdict';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function verdictRoutes(app: FastifyInstance, { verdicts }: Context): void {
  register(app, verdictGet, async ({ params }) => ({ verdict: await verdicts.get(params.id) }));
}
