import { meTicketRedeem } from '@meridian/contract/me/tickets';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../http/client-network.ts';
import { registerMember } from '../../http/register.ts';
import type { createRedemption } from './tickets.service.ts';

export function redemptionRoutes(
  app: FastifyInstance,
  redemption: ReturnType<typeof createRedemption>,
): void {
  registerMember(app, meTicketRedeem, ({ member, request, body }) =>
    redemption.redeem(member, networkOf(request.ip), body.code),
  );
}
