import type { Readable } from 'node:stream';
import type { ErrorCode } from '@meridian/contract/errors';
import { AppError } from './app-error.ts';
import { CollectedBytes } from './collected-bytes.ts';

/** A body in one piece, at most so many bytes. */
export function readBody(
  body: Readable,
  limit: number,
  tooLarge: ErrorCode = 'body_too_large',
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const bytes = new CollectedBytes();

  function take(piece: Buffer): void {
    if (bytes.length + piece.length > limit) return end(() => reject(new AppError(tooLarge)));
    bytes.add(piece);
  }
  const finish = () => end(() => resolve(bytes.take()));
  // A client that disconnects within its body reads no response, and it is no error of the server.
  const giveUp = () => end(() => reject(new AppError('malformed_json')));

  function end(settle: () => void): void {
    body.off('data', take).off('end', finish).off('error', giveUp);
    settle();
  }

  body.on('data', take).on('end', finish).on('error', giveUp);
  return promise;
}
