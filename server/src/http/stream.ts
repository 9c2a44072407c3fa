import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { Database, Db } from '../db/database.ts';
import { allowTime, createConcurrencyLimit, endDeadline } from './limits.ts';
import type { ConcurrencyLimitOptions } from './limits.ts';
import { answerSchema } from './register.ts';
import type { JsonSchema } from './register.ts';

type Sink<Piece> = {
  /** The promise resolves when the client has room for more, and rejects when it is gone. */
  readonly push: (piece: Piece) => Promise<void>;
  readonly signal: AbortSignal;
};
export type TextSink = Sink<string>;
export type ListSink<Item> = Sink<readonly Item[]>;

export type StreamLimits = {
  /** This much is serialized ahead of the client: a shorter response waits for no reader. */
  bufferBytes: number;
  stallMs: number;
  /** The time runs from the request to the last piece: its producer may hold a snapshot meanwhile. */
  totalMs: number;
};

/**
 * A failure before the first piece is an error response; a later one cuts the connection, so that no
 * client takes half for the whole. `produce` returns the last piece, for which no reader is waited.
 */
export async function streamText(
  reply: FastifyReply,
  { type, ...limits }: StreamLimits & { type: string },
  produce: (sink: TextSink) => Promise<string>,
): Promise<TextStream> {
  const stream = new TextStream(limits);
  const gone = new AbortController();
  const begun = Promise.withResolvers<void>();

  // The function is not async: a suspended one and its text outlive the wait until all memory is collected.
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
      endDeadline(reply.request);
    } catch (error) {
      begun.reject(error);
      stream.destroy(error instanceof Error ? error : new Error('Failed', { cause: error }));
    }
  }

  stream.once('close', () => gone.abort(new Error('The client is gone')));
  // Fastify tells the stream of a lost client only once it is sent.
  reply.raw.once('close', () => stream.destroy());
  // The caller gets a failure before that; without a listener it would end the process.
  stream.on('error', () => {});
  allowTime(reply.request, limits.totalMs);
  reply.type(type);
  void write();
  await begun.promise;
  return stream;
}

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

type ItemOf<Answer, Name extends keyof Answer> = Answer[Name] extends readonly (infer Item extends
  Record<string, unknown>)[]
  ? Item
  : never;

const LIMITS: StreamLimits = {
  bufferBytes: 4 * 1024 * 1024,
  // The time is shorter than the database's idle_in_transaction_session_timeout.
  stallMs: 5_000,
  totalMs: 60_000,
};

export function listStreamer<E extends Endpoint, Name extends keyof AnswerOf<E> & string>(
  endpoint: E,
  name: Name,
  limits: StreamLimits = LIMITS,
) {
  type Item = ItemOf<AnswerOf<E>, Name>;
  // A response is an object in every endpoint of the contract.
  const { properties } = answerSchema(endpoint) as {
    properties?: Record<string, { items?: JsonSchema }>;
  };
  const schema = properties?.[name]?.items;
  if (schema === undefined) throw new Error(`${endpoint.name} has no list of ${name}`);

  return async (
    reply: FastifyReply,
    produce: (sink: ListSink<Item>) => Promise<void>,
  ): Promise<TextStream> => {
    const serialize = reply.compileSerializationSchema(schema);
    const type = 'application/json; charset=utf-8';
    return streamText(reply, { ...limits, type }, async ({ push, signal }) => {
      let before = `{${JSON.stringify(name)}:[`;
      const pushItems = async (items: readonly Item[]) => {
        signal.throwIfAborted();
        if (items.length === 0) return;
        const text = before + items.map((item) => serialize(item)).join(',');
        before = ',';
        await push(text);
      };
      await produce({ push: pushItems, signal });
      if (before !== ',') throw new Error('A list without items is not to be streamed');
      return ']}';
    });
  };
}

/** Each response holds a connection while it runs. */
const USUAL = { atOnce: 2, waitMs: 5_000 };

/** No statement runs and no lock is held while a slow client is waited for, but old row versions are kept. */
export function createSnapshotStream(
  db: Database,
  limits: Partial<ConcurrencyLimitOptions> & { queue: number },
) {
  const limit = createConcurrencyLimit({ ...USUAL, ...limits });
  return async function writeFromSnapshot<Piece>(
    sink: Sink<Piece>,
    write: (tx: Db, push: Sink<Piece>['push']) => Promise<void>,
  ): Promise<void> {
    let isBegun = false;
    await limit.run(async () => {
      sink.signal.throwIfAborted();
      await db.transaction(
        async (tx) => {
          // The client has the first part already: there is no beginning again.
          if (isBegun) throw new Error('A response that was begun cannot be read again');
          isBegun = true;
          await write(tx, sink.push);
        },
        { isolation: 'repeatable read', readOnly: true },
      );
    });
  };
}
