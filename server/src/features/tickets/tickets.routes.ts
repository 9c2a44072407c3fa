import { ticketGet, ticketIssue, ticketList, ticketRevoke } from '@meridian/contract/tickets';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../services.ts';
import { listStreamer } from '../../http/stream.ts';
import { register } from '../../http/register.ts';

const streamTickets = listStreamer(ticketList, 'tickets');

export function ticketsRoutes(app: FastifyInstance, { tickets }: Context): void {
  register(app, ticketIssue, async ({ actor, body, key }) => ({
    ticket: await tickets.issue(actor, body, key),
  }));

  register(app, ticketList, async ({ query, reply }) => {
    if (Object.keys(query).length > 0) return tickets.page(query);
    const few = await tickets.few();
    if (few !== null) return { tickets: few };
    return streamTickets(reply, (sink) => tickets.writeAll(sink));
  });

  register(app, ticketGet, ({ params }) => tickets.get(params.id));

  register(app, ticketRevoke, async ({ actor, params }) => ({
    ticket: await tickets.revoke(actor, params.id),
  }));
}
