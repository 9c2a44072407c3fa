import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import { endDeadline } from '../../http/call-time.ts';
import type { EventStream } from './event-stream.ts';

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** The response of a call that is a stream of events. */
export async function serveEvents(
  { request, reply }: Exchange,
  open: (lastEventId: string | undefined) => Promise<EventStream>,
): Promise<EventStream> {
  const { accept = '', 'last-event-id': lastEventId } = request.headers;
  if (!accept.includes('text/event-stream')) {
    throw new AppError('invalid_input', { message: 'Send Accept: text/event-stream' });
  }
  const stream = await open(lastEventId?.toString());
  reply.raw.once('close', () => stream.destroy());
  endDeadline(request);
  // Proxies would otherwise collect events before they pass them on.
  reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8');
  return stream;
}
