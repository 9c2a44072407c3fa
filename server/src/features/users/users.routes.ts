import { userGet, userList, userRestrict, userUpdate } from '@meridian/contract/users';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function usersRoutes(app: FastifyInstance, { users }: Context): void {
  register(app, userList, ({ actor, query }) => users.list(actor, query));

  register(app, userGet, async ({ params }) => ({ user: await users.get(params.id) }));

  register(app, userUpdate, async ({ actor, params, body }) => ({
    user: await users.update(actor, params.id, body),
  }));

  register(app, userRestrict, async ({ actor, params, body }) => {
    const user = await users.restrict(actor, params.id, body.upgradeProhibited);
    return { upgradeProhibited: user.upgrade_prohibited };
  });
}
