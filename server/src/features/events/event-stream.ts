import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import { endDeadline } from '../../http/call-time.ts';

/** Hundreds of events: a client that has not read them for so long is gone or stuck. */
const BUFFER_BYTES = 16 * 1024;

/** Encoded once for all streams. */
export const HEARTBEAT = Buffer.from(': heartbeat\n\n');
export function changedEvent(id: string, topics: readonly string[]): Buffer {
  return Buffer.from(`id: ${id}\nevent: changed\ndata: ${JSON.stringify({ topics })}\n\n`);
}

/** Whose stream it is, and the session that it ends with. */
export type StreamOwner = { ownerId: string; tokenHash: Buffer };

/** The response of one client. It is destroyed when the client reads too slowly. */
export class EventStream extends Readable {
  readonly ownerId: string;
  readonly tokenHash: Buffer;
  #isFinished = false;

  constructor({ ownerId, tokenHash }: StreamOwner) {
    super({ highWaterMark: BUFFER_BYTES });
    this.ownerId = ownerId;
    this.tokenHash = tokenHash;
  }

  override _read(): void {
    // Events are pushed when something changes.
  }

  send(event: Buffer): void {
    if (this.destroyed || this.#isFinished) return;
    if (!this.push(event)) this.destroy();
  }

  /** The end of the response, not of the connection. */
  finish(): void {
    this.#isFinished = true;
    this.push(null);
  }
}

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
