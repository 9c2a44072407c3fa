import { userGet, userList, userRestrict, userUpdate } from '@meridian/contract/users';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../services.ts';
import { expectedBy, register, tagged } from '../../http/register.ts';

export function usersRoutes(app: FastifyInstance, { users }: Context): void {
  register(app, userList, ({ query }) => users.list(query));

  register(app, userGet, async ({ params, reply }) => ({
    user: tagged(reply, await users.get(params.id)),
  }));

  register(app, userUpdate, async ({ actor, params, body, request, reply }) => ({
    user: tagged(reply, await users.update(actor, params.id, body, expectedBy(request))),
  }));

  register(app, userRestrict, async ({ actor, params, body, request, reply }) => {
    const { upgradeProhibited } = body;
    const user = await users.restrict(actor, params.id, upgradeProhibited, expectedBy(request));
    return { upgradeProhibited: tagged(reply, user).upgrade_prohibited };
  });
}
