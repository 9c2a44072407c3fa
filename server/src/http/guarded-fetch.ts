import { isLoadablePicture } from '@meridian/contract/pictures';
import { lookup as dnsLookup } from 'node:dns';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { RefusedAddressError } from '../objects/objects.ts';

/** Only tests differ from the default; no setting of the operator does. */
export type OutsideNetwork = {
  addresses: AddressPolicy;
  resolve?: typeof dnsLookup;
  connector?: typeof buildConnector;
};
export const PUBLIC_NETWORK: OutsideNetwork = { addresses: 'public' };

type FetchRefusal =
  | 'address_invalid'
  | 'address_private'
  | 'unreachable'
  | 'not_sent'
  | 'redirects'
  | 'too_large';

/** The words of the other host are not passed on. */
export class FetchRefused extends Error {
  readonly reason: FetchRefusal;

  constructor(reason: FetchRefusal, options?: ErrorOptions) {
    super(`Not fetched: ${reason}`, options);
    this.name = 'FetchRefused';
    this.reason = reason;
  }
}

type GuardedFetch = {
  network: OutsideNetwork;
  signal: AbortSignal;
  accept: string;
  allowsHttp?: boolean;
  maxBytes?: number;
};

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Each address that a redirect leads to is checked like the first. */
export async function guardedFetch<T>(
  address: string,
  { network, signal, accept, allowsHttp = false, maxBytes }: GuardedFetch,
  read: (response: Dispatcher.ResponseData, url: URL) => Promise<T>,
): Promise<T> {
  const { addresses, resolve, connector = buildConnector } = network;
  // There is one agent per address: no connection outlives it, nor does a memory of hosts.
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
    // No header tells who asks. Compression is declined: a body that is not unpacked cannot explode.
    headers: { accept, 'accept-encoding': 'identity', 'user-agent': 'Meridian' },
    reset: true,
    signal,
  });
  // An unread body fails when the agent is closed.
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

type AddressKind = 'loopback' | 'private' | 'public' | 'refused';
export type AddressPolicy = 'loopback' | 'public' | 'public-or-private';

function subnets(family: 'ipv4' | 'ipv6', ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(' ')) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

const loopback4 = subnets('ipv4', '127.0.0.0/8');
const private4 = subnets('ipv4', '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10');
const refused4 = subnets(
  'ipv4',
  '0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 ' +
    '198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ' +
    // These are the metadata services of two clouds, in otherwise ordinary ranges.
    '100.100.100.200/32 168.63.129.16/32',
);
const private6 = subnets('ipv6', 'fc00::/7');
const global6 = subnets('ipv6', '2000::/3');
// These are tunnels that carry an IPv4 address, documentation, and a metadata service.
const refused6 = subnets('ipv6', '2001::/23 2002::/16 2001:db8::/32 3fff::/20 fd00:ec2::/32');

export function classifyAddress(address: string): AddressKind {
  if (isIPv4(address)) return classifyIpv4(address);
  if (!isIPv6(address) || address.includes('%')) return 'refused';
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const embedded = embeddedIpv4(canonical);
  if (embedded !== null) return classifyIpv4(embedded);
  if (canonical === '::1') return 'loopback';
  if (refused6.check(canonical, 'ipv6')) return 'refused';
  if (private6.check(canonical, 'ipv6')) return 'private';
  return global6.check(canonical, 'ipv6') ? 'public' : 'refused';
}

function classifyIpv4(address: string): AddressKind {
  if (loopback4.check(address)) return 'loopback';
  if (refused4.check(address)) return 'refused';
  return private4.check(address) ? 'private' : 'public';
}

/** IPv4-mapped and NAT64 addresses reach the IPv4 address they carry. */
function embeddedIpv4(canonical: string): string | null {
  const groups = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (groups === null) return null;
  const [high, low] = [groups[1], groups[2]].map((group) => Number.parseInt(group ?? '', 16));
  if (high === undefined || low === undefined) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

export function mayConnect(policy: AddressPolicy, address: string): boolean {
  const kind = classifyAddress(address);
  if (policy === 'loopback') return kind === 'loopback';
  return kind === 'public' || (kind === 'private' && policy === 'public-or-private');
}

/** The lookup resolves once and connects to exactly what was checked; one bad address refuses them all. */
export function guardedLookup(
  policy: AddressPolicy,
  resolve: typeof dnsLookup = dnsLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const bad = addresses.find(({ address }) => !mayConnect(policy, address));
      if (bad !== undefined) return callback(new RefusedAddressError(hostname, bad.address), []);
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses;
      if (first === undefined) return callback(new RefusedAddressError(hostname, 'nothing'), []);
      callback(null, first.address, first.family);
    });
  };
}
