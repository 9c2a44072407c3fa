import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Gives a call that takes long its time, from now on: until it is refused, and on the socket, which
 * is otherwise cut after the server's `connectionTimeout`. Node sets the usual limit again before
 * the next request.
 */
export function allowTime(request: FastifyRequest, ms: number): void {
  request.dueAt = performance.now() + ms;
  setSocketTimeout(request, ms);
}

/** For a streamed response that is complete: from now on only an idle connection is closed. */
export function endDeadline(request: FastifyRequest): void {
  request.dueAt = Infinity;
  setSocketTimeout(request, request.server.server.timeout);
}

function setSocketTimeout({ raw: { socket } }: FastifyRequest, ms: number): void {
  // An injected request has no socket.
  if (socket instanceof Socket) socket.setTimeout(ms);
}
