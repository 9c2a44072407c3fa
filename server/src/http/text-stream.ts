import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { allowTime, endDeadline } from './call-time.ts';

export type StreamLimits = {
  /** So much is serialized ahead of the client: a response below this waits for no reader. */
  bufferBytes: number;
  /** A client that takes nothing for this long is disconnected. */
  stallMs: number;
  /** From the request to the last piece: what produces them may hold a snapshot meanwhile. */
  totalMs: number;
};

/** Takes a response piece by piece. */
export type TextSink = {
  /** Resolves when the client has room for more; rejects when it is gone. */
  readonly push: (text: string) => Promise<void>;
  /** Aborted as soon as the client is gone. */
  readonly signal: AbortSignal;
};

/** A response that was serialized already. */
export class TextStream extends Readable {
  readonly #stallMs: number;
  #room = Promise.withResolvers<void>();

  constructor({ bufferBytes, stallMs }: Pick<StreamLimits, 'bufferBytes' | 'stallMs'>) {
    super({ highWaterMark: bufferBytes });
    this.#stallMs = stallMs;
  }

  override _read(): void {
    this.#room.resolve();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#room.resolve();
    done(error);
  }

  /** Null when there is room for more; else it waits for the client without holding the text. */
  write(chunk: string): Promise<void> | null {
    this.#room = Promise.withResolvers<void>();
    return this.push(Buffer.from(chunk)) ? null : this.#waitForRoom();
  }

  async #waitForRoom(): Promise<void> {
    const ms = this.#stallMs;
    const stalled = () => this.destroy(new Error(`The client has read nothing for ${ms} ms`));
    const timer = setTimeout(stalled, ms).unref();
    await this.#room.promise;
    clearTimeout(timer);
    if (this.destroyed) throw this.errored ?? new Error('The client is gone');
  }
}

/**
 * A response too long to be held in memory. What fails before the first piece is an error response
 * like any other; what fails later cuts the connection, so that no client takes half of it for the
 * whole. `produce` returns the last piece, for which no reader is waited.
 */
export async function streamText(
  reply: FastifyReply,
  { type, ...limits }: StreamLimits & { type: string },
  produce: (sink: TextSink) => Promise<string>,
): Promise<TextStream> {
  const stream = new TextStream(limits);
  const gone = new AbortController();
  const begun = Promise.withResolvers<void>();

  // Not async: a suspended function and its text outlive the wait until all memory is collected.
  function push(text: string): Promise<void> {
    if (gone.signal.aborted) return Promise.reject(gone.signal.reason);
    const room = stream.write(text);
    begun.resolve();
    return room ?? Promise.resolve();
  }

  async function write(): Promise<void> {
    try {
      stream.push(Buffer.from(await produce({ push, signal: gone.signal })));
      stream.push(null);
      begun.resolve();
      // Nothing is held any more but the bytes, as of any other response.
      endDeadline(reply.request);
    } catch (error) {
      begun.reject(error);
      stream.destroy(error instanceof Error ? error : new Error('Failed', { cause: error }));
    }
  }

  stream.once('close', () => gone.abort(new Error('The client is gone')));
  // Until the stream is sent, Fastify does not tell it.
  reply.raw.once('close', () => stream.destroy());
  // Before that its failure is told to the caller; without a listener it would end the process.
  stream.on('error', () => {});
  allowTime(reply.request, limits.totalMs);
  reply.type(type);
  void write();
  await begun.promise;
  return stream;
}
