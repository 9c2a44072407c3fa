import { eventStream } from '@meridian/contract/events';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { AppError } from '../../http/app-error.ts';
import { endDeadline } from '../../http/call-time.ts';
import { register } from '../../http/register.ts';

/** In a scope without the admission limit: a stream takes no slot of the other calls. */
export function eventsRoutes(app: FastifyInstance, { events }: Context): void {
  // Before the server waits for open responses.
  app.addHook('preClose', () => events.close());

  register(app, eventStream, async ({ actor, request, reply }) => {
    const { accept = '', 'last-event-id': lastEventId } = request.headers;
    if (!accept.includes('text/event-stream')) {
      throw new AppError('invalid_input', { message: 'Send Accept: text/event-stream' });
    }
    const stream = await events.open(actor, lastEventId?.toString());
    reply.raw.once('close', () => stream.destroy());
    endDeadline(request);
    // Proxies would otherwise collect events before they pass them on.
    reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8');
    return stream;
  });
}
