import { isIP } from 'node:net';
import { Agent, buildConnector, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { guardedLookup, mayConnect } from '../objects/address-guard.ts';
import type { AddressPolicy } from '../objects/address-guard.ts';
import { POST_COLLECTION } from './network.ts';
import type { Account, Network, NetworkResponse } from './network.ts';
import { jsonObject, retryTime } from './pds-response.ts';

export type PdsOptions = {
  /** The request headers of the account's session. What it rejects with reaches the caller. */
  authorize: (account: Account) => Promise<Record<string, string>>;
  /** From the first byte of the connection to the last byte of the response. */
  timeoutMs?: number;
  maxResponseBytes?: number;
  /** Users choose their hosts: only public addresses over TLS, unless a test serves the host itself. */
  addresses?: AddressPolicy;
};

type Call = Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'query'>;

/** No connection was established, so nothing was sent. */
class ConnectError extends Error {}

/** Hosts of the AT Protocol over HTTP. A host is the base address of a PDS (`https://pds.example`). */
export function createPdsNetwork(options: PdsOptions): Network {
  const { authorize, timeoutMs = 8_000, maxResponseBytes = 1_000_000 } = options;
  const addresses = options.addresses ?? 'public';
  const agent = new Agent({
    maxResponseSize: maxResponseBytes,
    // The signal below bounds the request as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: connector(addresses, timeoutMs / 2),
  });

  // Every post names its host: parsing and judging it anew took a fifth of a call.
  const urls = new Map<string, URL | null>();
  function urlOf(host: string): URL | null {
    const known = urls.get(host);
    if (known !== undefined) return known;
    const url = hostUrl(host, addresses);
    urls.set(host, url);
    return url;
  }

  async function call(host: string, method: string, request: Call): Promise<NetworkResponse> {
    const url = urlOf(host);
    if (url === null) return { kind: 'no_response', reason: 'unreachable', status: null };
    let status: number | null = null;
    try {
      const response = await agent.request({
        ...request,
        origin: url.origin,
        path: `/xrpc/${method}`,
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = response.statusCode;
      return responseOf(response, await response.body.text());
    } catch (error) {
      return { kind: 'no_response', reason: reasonOf(error), status };
    }
  }

  async function post(account: Account, method: string, type: string, body: string | Uint8Array) {
    const headers = { ...HEADERS, 'content-type': type, ...(await authorize(account)) };
    return call(account.host, method, { method: 'POST', headers, body });
  }
  const postJson = (account: Account, method: string, body: object) =>
    post(account, method, 'application/json', JSON.stringify({ repo: account.did, ...body }));

  return {
    name: 'live',
    defaultHost: null,
    putRecord: (account, { rkey, record }) =>
      postJson(account, 'com.atproto.repo.putRecord', {
        collection: POST_COLLECTION,
        rkey,
        validate: true,
        record,
        swapRecord: null,
      }),
    applyWrites: (account, writes) =>
      postJson(account, 'com.atproto.repo.applyWrites', {
        validate: true,
        writes: writes.map(({ rkey, record }) => ({
          $type: 'com.atproto.repo.applyWrites#create',
          collection: POST_COLLECTION,
          rkey,
          value: record,
        })),
      }),
    getRecord: (host, repo, rkey) =>
      call(host, 'com.atproto.repo.getRecord', {
        method: 'GET',
        headers: HEADERS,
        query: { repo, collection: POST_COLLECTION, rkey },
      }),
    uploadBlob: (account, bytes, mimeType) =>
      post(account, 'com.atproto.repo.uploadBlob', mimeType, bytes),
    close: () => agent.destroy(),
  };
}

/** Compression is declined: what is not unpacked cannot explode. */
const HEADERS = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'Meridian',
};

/** Null for a host that must not be called. One that is an address itself is never looked up. */
function hostUrl(host: string, addresses: AddressPolicy): URL | null {
  const url = URL.parse(host);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return null;
  if (url.protocol === 'http:' && addresses !== 'loopback') return null;
  const address = url.hostname.replaceAll(/^\[|\]$/g, '');
  return isIP(address) === 0 || mayConnect(addresses, address) ? url : null;
}

/** Marks every failure before the connection is established: DNS, a refused address, TCP, TLS. */
function connector(addresses: AddressPolicy, timeout: number): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(addresses), timeout, allowH2: false });
  return (target, callback) => {
    connect(target, (cause, socket) => {
      if (cause !== null) callback(new ConnectError('No connection', { cause }), null);
      else callback(null, socket);
    });
  };
}

function responseOf({ statusCode, headers }: Dispatcher.ResponseData, text: string) {
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const body = jsonObject(text);
  // A proxy in front of the host may refuse in its own words; a success without JSON proves nothing.
  if (body === null && isSuccess) {
    return { kind: 'no_response', reason: 'unreadable', status: statusCode } as const;
  }
  const word = (name: string, limit: number) => {
    const value = body?.[name];
    return isSuccess || typeof value !== 'string' ? null : value.slice(0, limit);
  };
  return {
    kind: 'response',
    status: statusCode,
    error: word('error', 100),
    message: word('message', 1_000),
    body,
    retryAt: isSuccess ? null : retryTime(statusCode, headers, Date.now()),
  } as const;
}

type Reason = Extract<NetworkResponse, { kind: 'no_response' }>['reason'];

/** Whatever is not known to have failed before sending counts as sent. */
function reasonOf(error: unknown): Reason {
  if (error instanceof ConnectError) return 'unreachable';
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'too_large';
  if (error instanceof errors.HTTPParserError) return 'unreadable';
  if (error instanceof errors.HeadersOverflowError) return 'unreadable';
  // A request that cannot even be written is a bug of the caller, not what a host did.
  if (error instanceof errors.InvalidArgumentError) throw error;
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'cut';
}
