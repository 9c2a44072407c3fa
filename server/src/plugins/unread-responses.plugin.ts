import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

const MAX_BYTES = 64 * 1024 * 1024;
/** Smaller ones fit into the socket's buffer. */
const LARGE_BYTES = 64 * 1024;

/**
 * A response is held in memory until the client has read it. When this scope holds too much, the
 * connection with the oldest unread response is closed.
 */
export function limitUnread(scope: FastifyInstance, maxBytes = MAX_BYTES): void {
  // In the order in which they were sent.
  const unread = new Map<FastifyReply, number>();
  let total = 0;

  function forget(reply: FastifyReply): void {
    total -= unread.get(reply) ?? 0;
    unread.delete(reply);
  }

  function makeRoom(): void {
    for (const reply of unread.keys()) {
      // A single one is sent however large it is.
      if (total <= maxBytes || unread.size === 1) return;
      forget(reply);
      reply.raw.destroy();
    }
  }

  scope.addHook('onSend', (_, reply, payload, done) => {
    const size = bytesHeld(payload);
    if (size >= LARGE_BYTES) {
      unread.set(reply, size);
      total += size;
      reply.raw.once('close', () => forget(reply));
      makeRoom();
    }
    done();
  });
}

/** Of a stream as much as it may read ahead of the client. */
function bytesHeld(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return payload instanceof Readable ? payload.readableHighWaterMark : 0;
}
