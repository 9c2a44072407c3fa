import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Gives a call that may be silent for long its time on the socket too, which is otherwise cut after
 * the server's `connectionTimeout`. Node sets the usual limit again before the next request.
 */
export function allowSilence(request: FastifyRequest, ms: number): void {
  const { socket } = request.raw;
  // An injected request has no line that could be cut.
  if (socket instanceof Socket) socket.setTimeout(ms);
}
