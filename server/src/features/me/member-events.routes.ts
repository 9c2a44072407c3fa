import { meEvents } from '@meridian/contract/me/events';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { registerMember } from '../../http/register.ts';
import { serveEvents } from '../events/event-stream.ts';

/** In a scope without the admission limit: a stream takes no slot of the other calls. */
export function memberEventsRoutes(app: FastifyInstance, { memberEvents }: Context): void {
  registerMember(app, meEvents, ({ member, ...exchange }) =>
    serveEvents(exchange, (lastEventId) => memberEvents.open(member, lastEventId)),
  );
}
