import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

const MAX_BYTES = 64 * 1024 * 1024;
/** Smaller ones are taken by the system at once. */
const LARGE_BYTES = 64 * 1024;

/**
 * An answer lies in memory until the other side has read it. When too much lies there in this scope,
 * the line that has been reading longest is cut.
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

  scope.addHook('onSend', (_, reply, answer, done) => {
    const size = bytesHeld(answer);
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
function bytesHeld(response: unknown): number {
  if (typeof response === 'string' || Buffer.isBuffer(response)) return response.length;
  return response instanceof Readable ? response.readableHighWaterMark : 0;
}
