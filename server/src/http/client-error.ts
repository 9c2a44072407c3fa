import type { Socket } from 'node:net';
import { ERRORS } from '@meridian/contract/errors';

/** Time for the client to read the response. */
const CLOSE_AFTER_MS = 1_000;

type ClientError = Error & { code?: string };

const BROKEN = { status: '400 Bad Request', message: ERRORS.invalid_input.message };
/** Browsers send the request again on a fresh connection. */
const TOO_SLOW = { status: '408 Request Timeout', message: 'The request took too long to arrive' };

/** For bytes that are no HTTP request: one fixed response, and the connection is closed. */
export function answerBrokenRequest(error: ClientError, socket: Socket): void {
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // Browsers open connections in advance. A response on one that has sent nothing would be taken for
  // that of its first request, which may be on its way.
  const isSilent = isSlow && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isSilent || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = isSlow ? TOO_SLOW : BROKEN;
  const requestId = crypto.randomUUID();
  const body = JSON.stringify({ message, code: 'invalid_input', requestId });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // That closes one direction only. A client that goes on sending would keep the connection open: no
  // timeout applies to it any more.
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}
