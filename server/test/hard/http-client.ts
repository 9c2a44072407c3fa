import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export type Ask = { method: string; path: string; body?: object };
export type Answer = {
  status: number;
  ms: number;
  hasRetryAfter: boolean;
  /** How long it took to open a line for it; undefined where one was open. */
  openingMs: number | undefined;
  /** Why there was no answer; the status is 0 then. */
  failure: string | undefined;
};

export type Client = {
  /** The time counts from `dueAt`, or from when an open line was free for it. */
  ask(what: Ask, dueAt?: number): Promise<Answer>;
  close(): void;
};

/** Many lines to one server, kept open and reused. */
export function createClient(url: string, token: string, connections: number): Client {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${token}` };
  return {
    ask({ method, path, body }, dueAt) {
      let startedAt = dueAt ?? performance.now();
      let openingMs: number | undefined;
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const done = (status: number, hasRetryAfter = false, failure?: string) => {
        const ms = performance.now() - startedAt;
        resolve({ status, ms, hasRetryAfter, openingMs, failure });
      };
      const failed = (error: NodeJS.ErrnoException) => done(0, false, error.code ?? error.message);
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const options = {
        hostname,
        port,
        method,
        path,
        agent,
        headers: {
          ...headers,
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(payload)),
          }),
        },
      };
      const call = request(options, (response) => {
        text(response).then(
          () => done(response.statusCode ?? 0, response.headers['retry-after'] !== undefined),
          failed,
        );
      });
      call.once('error', failed);
      call.once('socket', (socket: Socket) => {
        const givenAt = performance.now();
        startedAt = dueAt ?? givenAt;
        if (!socket.connecting) return;
        socket.once('connect', () => {
          openingMs = performance.now() - givenAt;
          startedAt = dueAt ?? performance.now();
        });
      });
      call.end(payload);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
