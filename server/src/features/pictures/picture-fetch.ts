import type { lookup as dnsLookup } from 'node:dns';
import { isIP } from 'node:net';
import { isLoadablePicture, PICTURE_MAX_MB } from '@meridian/contract/pictures';
import { Agent, buildConnector, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { AppError } from '../../http/app-error.ts';
import { guardedLookup, mayConnect } from '../../objects/address-guard.ts';
import type { AddressPolicy } from '../../objects/address-guard.ts';
import { RefusedAddressError } from '../../objects/errors.ts';

/** How other hosts are reached. Only tests differ from the default; no setting of the operator does. */
export type PictureNetwork = {
  addresses: AddressPolicy;
  resolve?: typeof dnsLookup;
  /** Opens the connection, to an address that the look-up has checked. */
  connector?: typeof buildConnector;
};
export const PUBLIC_NETWORK: PictureNetwork = { addresses: 'public' };

const MAX_BYTES = PICTURE_MAX_MB * 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Nothing that tells who asks. Compression is declined: what is not unpacked cannot explode. */
const HEADERS = {
  accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
  'accept-encoding': 'identity',
  'user-agent': 'Meridian',
};

/** The bytes at an address. Throws an AppError for everything else, also when `signal` is aborted. */
export async function fetchPicture(
  address: string,
  network: PictureNetwork,
  signal: AbortSignal,
): Promise<Buffer<ArrayBuffer>> {
  const { addresses, resolve, connector = buildConnector } = network;
  // One agent per picture: no connection outlives it, nor does a memory of hosts.
  const agent = new Agent({
    maxResponseSize: MAX_BYTES,
    connect: connector({ lookup: guardedLookup(addresses, resolve), allowH2: false }),
  });
  try {
    let url = checkedUrl(address, addresses);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await request(agent, url, signal);
      const location = redirectOf(response);
      if (location === null) return await bytesOf(response);
      url = checkedUrl(location, addresses, url);
    }
    throw new AppError('picture_redirects');
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await agent.destroy();
  }
}

/** A host that is an address itself is never looked up, so it is checked here. */
function checkedUrl(address: string, addresses: AddressPolicy, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null || !isLoadablePicture(url)) throw new AppError('picture_address_invalid');
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayConnect(addresses, host)) {
    throw new AppError('picture_address_private');
  }
  return url;
}

async function request(agent: Agent, url: URL, signal: AbortSignal) {
  const { origin, pathname, search } = url;
  const response = await agent.request({
    method: 'GET',
    origin,
    path: pathname + search,
    headers: HEADERS,
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

async function bytesOf({
  statusCode,
  headers,
  body,
}: Dispatcher.ResponseData): Promise<Buffer<ArrayBuffer>> {
  if (statusCode !== 200) throw new AppError('picture_not_sent');
  // A host that says so need not be waited for; one that does not is stopped while it sends.
  if (Number(headers['content-length']) > MAX_BYTES) throw new AppError('picture_too_large');
  return Buffer.from(await body.arrayBuffer());
}

/** Why it failed, for the administrator. What the other host says is not passed on. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof RefusedAddressError) return new AppError('picture_address_private');
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return new AppError('picture_too_large');
  return new AppError('picture_unreachable');
}
