import { pipeline, Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Endpoint } from '@meridian/contract/endpoint';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { compare, compareError } from '../check-upstream/differences.ts';
import type { Difference } from '../check-upstream/differences.ts';
import { isResponseNamed } from '../check-upstream/law.ts';
import { jsonOf } from '../http/json-text.ts';

type Asked = { method: string; url: string; log: FastifyBaseLogger };

/** A page of a hundred posts with room to spare; larger responses pass unchecked. */
const CHECKED_MAX_BYTES = 256 * 1024;
/** Further shapes are not logged: a service that sends so many is known to be wrong. */
const LOGGED_MAX = 500;
const SENTENCES_MAX = 5;

const ROUTES = SPECIFIED_CALLS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`),
}));

/**
 * Compares what the service behind sends with the contract, after it was passed on, and logs each
 * shape of a call once. The console copes or says so; the log tells the implementer what is wrong.
 */
export function createShapeLog() {
  const logged = new Set<string>();

  function judge(request: Asked, endpoint: Endpoint, status: number, body: Buffer): void {
    const differences = differencesIn(endpoint, status, body);
    const shape = [endpoint.name, ...differences.map(({ field }) => field)].join(' ');
    if (differences.length === 0 || logged.has(shape) || logged.size >= LOGGED_MAX) return;
    logged.add(shape);
    const sentences = differences.slice(0, SENTENCES_MAX).map(({ sentence }) => sentence);
    const call = `${endpoint.method} ${endpoint.path}`;
    request.log.warn(
      { call, status, differences: sentences },
      'The service behind the console sent a response of an unexpected form',
    );
  }

  return {
    /** The same stream, of which at most CHECKED_MAX_BYTES are kept until it ends. */
    watched(
      request: Asked,
      reply: Pick<FastifyReply, 'hasHeader' | 'statusCode'>,
      stream: Readable,
    ): Readable {
      const { method, url } = request;
      const route = ROUTES.find(
        ({ endpoint, pattern }) => endpoint.method === method && pattern.test(url),
      );
      if (route === undefined || reply.hasHeader('content-encoding')) return stream;
      const { endpoint } = route;
      const kept: Buffer[] = [];
      let length = 0;
      const watcher = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          length += chunk.length;
          if (length <= CHECKED_MAX_BYTES) kept.push(chunk);
          else kept.length = 0;
          done(null, chunk);
        },
        flush(done) {
          done();
          const isWhole = length <= CHECKED_MAX_BYTES;
          const { statusCode } = reply;
          if (isWhole)
            setImmediate(() => judge(request, endpoint, statusCode, Buffer.concat(kept)));
        },
      });
      // What breaks off destroys the other side, and with it the connection to the client.
      pipeline(stream, watcher, () => {});
      return watcher;
    },
  };
}

function differencesIn(endpoint: Endpoint, status: number, body: Buffer): Difference[] {
  const json = jsonOf(body.toString('utf8'));
  if (status >= 400) return compareError(json);
  if (status < 200 || status > 299 || !isResponseNamed(endpoint)) return [];
  if (json !== undefined) return compare(endpoint, json).differences;
  return [{ field: '', sentence: 'the response is not JSON' }];
}
