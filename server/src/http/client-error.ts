import type { Socket } from 'node:net';
import { ERRORS } from '@meridian/contract/errors';

/** For the answer to be read. */
const GOODBYE_MS = 1_000;

type ClientError = Error & { code?: string };

const BROKEN = { status: '400 Bad Request', message: ERRORS.invalid_input.message };
/** Browsers send the request again on a fresh connection. */
const TOO_SLOW = { status: '408 Request Timeout', message: 'The request took too long to arrive' };

/** Bytes that are no HTTP request at all: one fixed answer, written by hand, and the line is closed. */
export function answerBrokenRequest(error: ClientError, socket: Socket): void {
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // A connection opened in advance that never said a word gets none either: an answer would be
  // taken for that of the first request, which may be on its way this very moment.
  const isSilent = isSlow && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isSilent || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = isSlow ? TOO_SLOW : BROKEN;
  const body = JSON.stringify({ message, code: 'invalid_input', requestId: crypto.randomUUID() });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // That ends our half only. Whoever went on sending on the other would keep the line for ever: no
  // time limit looks at it any more.
  setTimeout(() => socket.destroy(), GOODBYE_MS).unref();
}
