import type { Dispatcher } from 'undici';
import { CollectedBytes } from './collected-bytes.ts';

/**
 * The body that another host sends, at most so many bytes of it. Never by `arrayBuffer` or `text` of
 * the body itself: they keep every piece, and 5 MB of single bytes filled 800 MB.
 */
export async function readResponse(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const bytes = new CollectedBytes();
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes.add(piece);
    if (bytes.length > maxBytes) break;
  }
  return bytes.take(maxBytes);
}
