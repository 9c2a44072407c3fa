import { accountDisconnect, accountGet } from '@meridian/contract/accounts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function accountsRoutes(app: FastifyInstance, { accounts }: Context): void {
  register(app, accountGet, async ({ params }) => ({ account: await accounts.get(params.id) }));

  register(app, accountDisconnect, async ({ actor, params }) => ({
    account: await accounts.disconnect(params.id, actor),
  }));
}
