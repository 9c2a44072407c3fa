import type { Readable } from 'node:stream';
import type { ErrorCode } from '@meridian/contract/errors';
import { AppError } from './app-error.ts';

const FIRST_SIZE = 1_024;

/**
 * A body in one piece, at most so many bytes. Copied together as it comes: kept as a list, one sent
 * byte by byte would be tens of thousands of objects, each a hundred times what it holds.
 */
export function readBody(
  body: Readable,
  limit: number,
  tooLarge: ErrorCode = 'body_too_large',
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let bytes = Buffer.allocUnsafe(0);
  let length = 0;

  function take(piece: Buffer): void {
    const needed = length + piece.length;
    if (needed > limit) return end(() => reject(new AppError(tooLarge)));
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, FIRST_SIZE, 2 * bytes.length));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    piece.copy(bytes, length);
    length = needed;
  }
  const finish = () => end(() => resolve(bytes.subarray(0, length)));
  // A client that disconnects within its body reads no response, and it is no error of the server.
  const giveUp = () => end(() => reject(new AppError('malformed_json')));

  function end(settle: () => void): void {
    body.off('data', take).off('end', finish).off('error', giveUp);
    settle();
  }

  body.on('data', take).on('end', finish).on('error', giveUp);
  return promise;
}
