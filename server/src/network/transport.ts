import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Agent, buildConnector, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { readResponse } from '../http/bodies.ts';
import { guardedLookup, mayConnect } from '../http/guarded-fetch.ts';
import type { AddressPolicy } from '../http/guarded-fetch.ts';
import type { NetworkResponse } from './network.ts';

export type TransportOptions = {
  /** The time runs from the first byte of the connection to the last byte of the response. */
  timeoutMs?: number;
  /** Users choose their hosts: only public addresses over TLS, unless a test serves the host itself. */
  addresses?: AddressPolicy;
};

export type HttpRequest = {
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | Uint8Array | null;
  signal?: AbortSignal;
};
export type HttpResponse = { status: number; headers: IncomingHttpHeaders; text: string };

type Reason = Extract<NetworkResponse, { kind: 'no_response' }>['reason'];
type Place = { origin?: string | null; path?: string | null };

/** This is never a TypeError: the OAuth client deletes a session on any of these. */
export class NoResponse extends Error {
  override name = 'NoResponse';
  readonly reason: Reason;
  readonly status: number | null;
  readonly origin: string | null;
  readonly path: string | null;

  constructor(
    reason: Reason,
    status: number | null,
    { origin = null, path = null }: Place,
    cause?: unknown,
  ) {
    super(`No response: ${reason}`, { cause });
    this.reason = reason;
    this.status = status;
    this.origin = origin;
    this.path = path;
  }
}

export type Transport = {
  request(base: string, path: string, request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
};

class ConnectFailure extends Error {}

const MAX_RESPONSE_BYTES = 1_000_000;

export function createTransport(options: TransportOptions = {}): Transport {
  const { timeoutMs = 8_000, addresses = 'public' } = options;
  const agent = new Agent({
    maxResponseSize: MAX_RESPONSE_BYTES,
    // The signal below bounds the request as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: connector(addresses, timeoutMs / 2),
  });

  return {
    async request(base, path, { signal, ...request }) {
      const origin = allowedOrigin(base, addresses);
      if (origin === null) throw new NoResponse('unreachable', null, { path });
      const timeout = AbortSignal.timeout(timeoutMs);
      let status: number | null = null;
      try {
        const response = await agent.request({
          ...request,
          origin,
          path,
          signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        });
        status = response.statusCode;
        const bytes = await readResponse(response.body, MAX_RESPONSE_BYTES);
        return { status, headers: response.headers, text: new TextDecoder().decode(bytes) };
      } catch (error) {
        throw new NoResponse(reasonOf(error), status, { origin, path }, error);
      }
    },
    close: () => agent.destroy(),
  };
}

/** An address in place of a name is never looked up, so it is checked here. */
function allowedOrigin(base: string, addresses: AddressPolicy): string | null {
  const url = URL.parse(base);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return null;
  if (url.protocol === 'http:' && addresses !== 'loopback') return null;
  const address = url.hostname.replaceAll(/^\[|\]$/g, '');
  return isIP(address) === 0 || mayConnect(addresses, address) ? url.origin : null;
}

function connector(addresses: AddressPolicy, timeout: number): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(addresses), timeout, allowH2: false });
  return (target, callback) => {
    connect(target, (cause, socket) => {
      if (cause !== null) callback(new ConnectFailure('No connection', { cause }), null);
      else callback(null, socket);
    });
  };
}

/** A failure that is not known to be from before the sending counts as sent. */
function reasonOf(error: unknown): Reason {
  if (error instanceof ConnectFailure) return 'unreachable';
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'too_large';
  if (error instanceof errors.HTTPParserError) return 'unreadable';
  if (error instanceof errors.HeadersOverflowError) return 'unreadable';
  // A request that cannot even be written is a bug of the caller, not what a host did.
  if (error instanceof errors.InvalidArgumentError) throw error;
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  return isTimeout ? 'timeout' : 'cut';
}
