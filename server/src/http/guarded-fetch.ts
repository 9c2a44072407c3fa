import type { lookup as dnsLookup } from 'node:dns';
import { isIP } from 'node:net';
import { isLoadablePicture } from '@meridian/contract/pictures';
import { Agent, buildConnector, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { guardedLookup, mayConnect } from '../objects/address-guard.ts';
import type { AddressPolicy } from '../objects/address-guard.ts';
import { RefusedAddressError } from '../objects/errors.ts';

/** How other hosts are reached. Only tests differ from the default; no setting of the operator does. */
export type OutsideNetwork = {
  addresses: AddressPolicy;
  resolve?: typeof dnsLookup;
  /** Opens the connection, to an address that the look-up has checked. */
  connector?: typeof buildConnector;
};
export const PUBLIC_NETWORK: OutsideNetwork = { addresses: 'public' };

export type FetchRefusal =
  | 'address_invalid'
  | 'address_private'
  | 'unreachable'
  | 'not_sent'
  | 'redirects'
  | 'too_large';

/** Why nothing was fetched. What the other host says is not passed on. */
export class FetchRefused extends Error {
  readonly reason: FetchRefusal;

  constructor(reason: FetchRefusal, options?: ErrorOptions) {
    super(`Not fetched: ${reason}`, options);
    this.name = 'FetchRefused';
    this.reason = reason;
  }
}

export type GuardedFetch = {
  network: OutsideNetwork;
  signal: AbortSignal;
  accept: string;
  /** Also without encryption, for what is not trusted either way. */
  allowsHttp?: boolean;
  /** A response that is longer is refused; without it the reader stops by itself. */
  maxBytes?: number;
};

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Reads a public web address that a client named. Redirects are followed, each address checked like
 * the first. Throws FetchRefused, also when `signal` is aborted.
 */
export async function guardedFetch<T>(
  address: string,
  { network, signal, accept, allowsHttp = false, maxBytes }: GuardedFetch,
  read: (response: Dispatcher.ResponseData, url: URL) => Promise<T>,
): Promise<T> {
  const { addresses, resolve, connector = buildConnector } = network;
  // One agent per address: no connection outlives it, nor does a memory of hosts.
  const agent = new Agent({
    maxResponseSize: maxBytes ?? -1,
    connect: connector({ lookup: guardedLookup(addresses, resolve), allowH2: false }),
  });
  try {
    let url = checkedUrl(address, addresses, allowsHttp);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await request(agent, url, accept, signal);
      const location = redirectOf(response);
      if (location === null) {
        if (response.statusCode !== 200) throw new FetchRefused('not_sent');
        // A host that says so need not be waited for; one that does not is stopped while it sends.
        if (Number(response.headers['content-length']) > (maxBytes ?? Infinity)) {
          throw new FetchRefused('too_large');
        }
        return await read(response, url);
      }
      url = checkedUrl(location, addresses, allowsHttp, url);
    }
    throw new FetchRefused('redirects');
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await agent.destroy();
  }
}

/** A host that is an address itself is never looked up, so it is checked here. */
function checkedUrl(
  address: string,
  addresses: AddressPolicy,
  allowsHttp: boolean,
  base?: URL,
): URL {
  const url = URL.parse(address, base?.href);
  if (url === null || !isLoadablePicture(url) || (url.protocol === 'http:' && !allowsHttp)) {
    throw new FetchRefused('address_invalid');
  }
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayConnect(addresses, host)) throw new FetchRefused('address_private');
  return url;
}

async function request(agent: Agent, url: URL, accept: string, signal: AbortSignal) {
  const { origin, pathname, search } = url;
  const response = await agent.request({
    method: 'GET',
    origin,
    path: pathname + search,
    // Nothing that tells who asks. Compression is declined: what is not unpacked cannot explode.
    headers: { accept, 'accept-encoding': 'identity', 'user-agent': 'Meridian' },
    reset: true,
    signal,
  });
  // A body that is left unread fails when the agent goes; that is no news.
  response.body.on('error', () => {});
  return response;
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  const { location } = headers;
  return REDIRECTS.has(statusCode) && typeof location === 'string' ? location : null;
}

function refusalOf(error: unknown): Error {
  if (error instanceof FetchRefused) return error;
  if (error instanceof RefusedAddressError) return new FetchRefused('address_private');
  if (error instanceof errors.ResponseExceededMaxSizeError) return new FetchRefused('too_large');
  return new FetchRefused('unreachable', { cause: error });
}
