import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type Ask = { method: string; path: string; body?: object };
export type Answer = {
  status: number;
  ms: number;
  hasRetryAfter: boolean;
  /** A line had to be opened for it. */
  isFirst: boolean;
  /** Why there was no answer; the status is 0 then. */
  failure: string | undefined;
};

export type Client = {
  /** The time counts from `dueAt`, or from when there was a line for it. */
  ask(what: Ask, dueAt?: number): Promise<Answer>;
  close(): void;
};

/** Many connections to one server, kept open and reused. */
export function createClient(url: string, token: string, connections: number): Client {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${token}` };
  return {
    ask({ method, path, body }, dueAt) {
      let startedAt = dueAt ?? performance.now();
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const done = (status: number, hasRetryAfter = false, failure?: string) => {
        const ms = performance.now() - startedAt;
        resolve({ status, ms, hasRetryAfter, isFirst: !call.reusedSocket, failure });
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
      if (dueAt === undefined) call.once('socket', () => (startedAt = performance.now()));
      call.end(payload);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
