import { userGet, userList, userRestrict, userUpdate } from '@meridian/contract/users';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function usersRoutes(app: FastifyInstance, { users }: Context): void {
  register(app, userList, ({ query }) => users.list(query));

  register(app, userGet, async ({ params }) => ({ user: await users.get(params.id) }));

  register(app, userUpdate, async ({ params, body }) => ({
    user: await users.update(params.id, body),
  }));

  register(app, userRestrict, async ({ params, body }) => {
    const user = await users.restrict(params.id, body.upgradeProhibited);
    return { upgradeProhibited: user.upgrade_prohibited };
  });
}
