import { eventStream } from '@meridian/contract/events';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';
import { serveEvents } from './event-stream.ts';

/** In a scope without the admission limit: a stream takes no slot of the other calls. */
export function eventsRoutes(app: FastifyInstance, { events, eventHub }: Context): void {
  // Before the server waits for open responses.
  app.addHook('preClose', () => eventHub.close());

  register(app, eventStream, ({ actor, ...exchange }) =>
    serveEvents(exchange, (lastEventId) => events.open(actor, lastEventId)),
  );
}
