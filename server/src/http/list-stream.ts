import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import type { FastifyReply } from 'fastify';
import { answerSchema } from './answer-schema.ts';
import type { JsonSchema } from './answer-schema.ts';
import { streamText } from './text-stream.ts';
import type { StreamLimits, TextStream } from './text-stream.ts';

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

/**
 * Makes a response of one list too long to be held in memory, serialized by the contract's schema
 * piece by piece.
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
