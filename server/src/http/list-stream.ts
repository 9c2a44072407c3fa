import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import type { FastifyReply } from 'fastify';
import { answerSchema } from './answer-schema.ts';
import type { JsonSchema } from './answer-schema.ts';
import { allowTime, endDeadline } from './call-time.ts';

export type StreamLimits = {
  /** So much is serialized ahead of the client: a list below this waits for no reader. */
  bufferBytes: number;
  /** A client that takes nothing for this long is disconnected. */
  stallMs: number;
  /** From the request to the last item: what produces the items may hold a snapshot meanwhile. */
  totalMs: number;
};

/** Takes the items of a list as they are read. */
export type ListSink<Item> = {
  /** Resolves when the client has room for more; rejects when it is gone. */
  readonly push: (items: readonly Item[]) => Promise<void>;
  /** Aborted as soon as the client is gone. */
  readonly signal: AbortSignal;
};

type ItemOf<Answer, Name extends keyof Answer> = Answer[Name] extends readonly (infer Item extends
  Record<string, unknown>)[]
  ? Item
  : never;

const LIMITS: StreamLimits = {
  bufferBytes: 4 * 1024 * 1024,
  // Shorter than the database's idle_in_transaction_session_timeout.
  stallMs: 5_000,
  totalMs: 60_000,
};

/** A response that was serialized by the contract's schema already, piece by piece. */
export class ListStream extends Readable {
  #room = Promise.withResolvers<void>();

  constructor(bufferBytes: number) {
    super({ highWaterMark: bufferBytes });
  }

  override _read(): void {
    this.#room.resolve();
  }

  /** Null when there is room for more. */
  write(chunk: string): Promise<void> | null {
    this.#room = Promise.withResolvers<void>();
    return this.push(Buffer.from(chunk)) ? null : this.#room.promise;
  }
}

/**
 * Makes a response of one list too long to be held in memory. What fails before the first items is
 * an error response like any other; what fails later cuts the connection, so that no client takes
 * half a list for the whole.
 */
export function listStreamer<E extends Endpoint, Name extends keyof AnswerOf<E> & string>(
  endpoint: E,
  name: Name,
  limits: StreamLimits = LIMITS,
) {
  type Item = ItemOf<AnswerOf<E>, Name>;
  const schema = itemSchema(endpoint, name);

  return async (
    reply: FastifyReply,
    produce: (sink: ListSink<Item>) => Promise<void>,
  ): Promise<ListStream> => {
    const serialize = reply.compileSerializationSchema(schema);
    const stream = new ListStream(limits.bufferBytes);
    const gone = new AbortController();
    const begun = Promise.withResolvers<void>();
    let before = `{${JSON.stringify(name)}:[`;

    async function push(items: readonly Item[]): Promise<void> {
      gone.signal.throwIfAborted();
      if (items.length === 0) return;
      const room = stream.write(before + items.map((item) => serialize(item)).join(','));
      before = ',';
      begun.resolve();
      if (room !== null) await roomWithin(room, limits.stallMs, gone.signal);
    }

    async function write(): Promise<void> {
      try {
        await produce({ push, signal: gone.signal });
        if (before !== ',') throw new Error('A list without items is not to be streamed');
        stream.push(Buffer.from(']}'));
        stream.push(null);
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
    reply.type('application/json; charset=utf-8');
    void write();
    await begun.promise;
    return stream;
  };
}

async function roomWithin(room: Promise<void>, ms: number, gone: AbortSignal): Promise<void> {
  const waited = new AbortController();
  const signal = AbortSignal.any([gone, waited.signal]);
  const stalled = delay(ms, undefined, { signal, ref: false }).then(() => {
    throw new Error(`The client has read nothing for ${ms} ms`);
  });
  try {
    await Promise.race([room, stalled]);
  } finally {
    waited.abort();
  }
}

/** What one entry of the list looks like, from the schema of the whole response. */
function itemSchema(endpoint: Endpoint, name: string): JsonSchema {
  // A response is an object in every endpoint of the contract.
  const { properties } = answerSchema(endpoint) as {
    properties?: Record<string, { items?: JsonSchema }>;
  };
  const items = properties?.[name]?.items;
  if (items === undefined) throw new Error(`${endpoint.name} has no list of ${name}`);
  return items;
}
