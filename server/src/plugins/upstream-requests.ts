import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply } from 'fastify';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';

export const RESPONSE_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** As nginx logs a client that went away before the response. */
const CLIENT_CLOSED_REQUEST = 499;

type Callback = (error: Error | null, data: Dispatcher.ResponseData) => void;

/**
 * Requests to the service behind that end when their client goes away. Left to itself, reply-from
 * waits for the response and then sends none: the slot of such a request would be taken for ever.
 */
export function abortableRequests(upstream: URL) {
  // Our own pool: the options of reply-from would turn the verification of certificates off. As many
  // connections as are needed: the calls that wait are limited already, and a stream of events takes
  // one for hours.
  const pool = new Pool(upstream.origin, {
    pipelining: 1,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  /** reply-from has no way to hand a signal on to its request. */
  const clientGone = new AsyncLocalStorage<AbortSignal>();

  function request(options: Dispatcher.RequestOptions, callback: Callback): void {
    const gone = clientGone.getStore();
    pool.request({ ...options, signal: gone }, (error, data) => {
      // The reply is settled already; reply-from would log a failure.
      if (gone?.aborted !== true) callback(error, data);
    });
  }

  return {
    // Of the two forms of the method reply-from uses the one with a callback.
    requester: { request: request as Dispatcher['request'] },

    whileConnected<T>(reply: FastifyReply, work: () => T): T {
      const gone = new AbortController();
      reply.raw.once('close', () => {
        gone.abort();
        if (!reply.sent) void reply.code(CLIENT_CLOSED_REQUEST).send();
      });
      return clientGone.run(gone.signal, work);
    },

    close: () => pool.destroy(),
  };
}
