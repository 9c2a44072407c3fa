import { ticketGet, ticketIssue, ticketList, ticketRevoke } from '@meridian/contract/tickets';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function ticketsRoutes(app: FastifyInstance, { tickets }: Context): void {
  register(app, ticketIssue, async ({ actor, body, key }) => ({
    ticket: await tickets.issue(actor, body, key),
  }));

  register(app, ticketList, async () => ({ tickets: await tickets.list() }));

  register(app, ticketGet, ({ params }) => tickets.get(params.id));

  register(app, ticketRevoke, async ({ actor, params }) => ({
    ticket: await tickets.revoke(actor, params.id),
  }));
}
