import type { Socket } from 'node:net';
import { ERRORS } from '@meridian/contract/errors';

type ClientError = Error & { code?: string };

/** Bytes that are no HTTP request at all: one fixed answer, written by hand, and the line is closed. */
export function answerBrokenRequest(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const { message } = ERRORS.invalid_input;
  const body = JSON.stringify({ message, code: 'invalid_input', requestId: crypto.randomUUID() });
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
