import {
  apiTokenCreate,
  apiTokenList,
  apiTokenRevoke,
  apiTokenRotate,
  meTokenCreate,
  meTokenList,
  meTokenRevoke,
  meTokenRotate,
} from '@meridian/contract/api-tokens';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../services.ts';
import { networkOf } from '../../http/guards.ts';
import { register, registerMember } from '../../http/register.ts';
import type { MemberInput } from '../../http/register.ts';

export function apiTokensRoutes(app: FastifyInstance, { apiTokens }: Context): void {
  const shared = apiTokens.ofAdministrators;
  register(app, apiTokenList, async ({ actor }) => ({ apiTokens: await shared(actor).list() }));
  register(app, apiTokenCreate, ({ actor, body }) =>
    shared(actor).create({ adminId: actor.adminId }, body),
  );
  register(app, apiTokenRotate, ({ actor, params, body }) =>
    shared(actor).rotate(params.id, body.graceMinutes),
  );
  register(app, apiTokenRevoke, async ({ actor, params }) => ({
    apiToken: await shared(actor).revoke(params.id),
  }));
}

export function memberTokensRoutes(app: FastifyInstance, { apiTokens }: Context): void {
  type Asked = Pick<MemberInput<typeof meTokenList>, 'member' | 'request'>;
  const own = ({ member, request }: Asked) =>
    apiTokens.ofMember(member.userId, {
      adminId: null,
      username: member.did,
      requestId: request.id,
      network: networkOf(request.ip),
    });
  registerMember(app, meTokenList, async (input) => ({ tokens: await own(input).list() }));
  registerMember(app, meTokenCreate, (input) => own(input).create(input.body));
  registerMember(app, meTokenRotate, (input) =>
    own(input).rotate(input.params.id, input.body.graceMinutes),
  );
  registerMember(app, meTokenRevoke, async (input) => ({
    apiToken: await own(input).revoke(input.params.id),
  }));
}
