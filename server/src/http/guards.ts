import cors from '@fastify/cors';
import { compile } from '@fastify/proxy-addr';
import { BACKGROUND_HEADER, REASON_HEADER } from '@meridian/contract/requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { AppError } from './errors.ts';

const NOT_ONE_HOST = 'The request must name one host';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A foreign name that points here is refused, against DNS rebinding; null lets any name pass. */
export function servedHosts(
  listenHost: string,
  allowedHosts: readonly string[],
): Set<string> | null {
  const isLoopback = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(listenHost);
  if (!isLoopback && allowedHosts.length === 0) return null;
  return new Set([...(isLoopback ? LOOPBACK : []), ...allowedHosts]);
}

export function checkHost(app: FastifyInstance, served: Set<string> | null): void {
  app.addHook('onRequest', ({ raw }, _, done) => {
    const hosts = countHosts(raw.rawHeaders);
    const isClear = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(isClear ? undefined : new AppError('invalid_input', { message: NOT_ONE_HOST }));
  });
  if (served === null) return;
  app.addHook('onRequest', (request, _, done) => {
    // The header itself is read, because what a proxy says it was is being checked too.
    const name = request.headers.host?.toLowerCase().replace(/:\d+$/, '');
    const isServed = name !== undefined && served.has(name);
    const passes = isServed || request.routeOptions.config.anyHost === true;
    done(passes ? undefined : new AppError('misdirected_host'));
  });
}

/** Node shows the first of two Host headers, and a proxy may have gone by the other. */
function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host')
    .length;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Probes connect by address, so they are served under any host name. */
    anyHost?: boolean;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export async function checkOrigin(
  app: FastifyInstance,
  allowedOrigins: readonly string[],
): Promise<void> {
  const allowed = new Set(allowedOrigins);
  const isAllowed = (origin: string | undefined) => origin !== undefined && allowed.has(origin);
  if (allowed.size > 0) {
    await app.register(cors, {
      // A list would let the preflight of any other origin succeed without its header.
      origin: (origin, callback) => callback(null, isAllowed(origin)),
      methods: 'GET, POST, PUT, PATCH, DELETE',
      allowedHeaders: `Authorization, Content-Type, If-Match, Idempotency-Key, Last-Event-ID, ${REASON_HEADER}, ${BACKGROUND_HEADER}`,
      exposedHeaders: 'ETag, Retry-After, X-Request-Id',
      maxAge: 600,
    });
  }
  // A browser never sends a bearer token by itself, so this is a second line of defence.
  app.addHook('onRequest', (request, _, done) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isRefused =
      site === 'cross-site' && !isAllowed(origin) && !SAFE_METHODS.has(request.method);
    done(isRefused ? new AppError('forbidden_origin') : undefined);
  });
}

/** A page cannot forge `Sec-Fetch-Site`; old browsers send `Origin`; a client with neither is no browser. */
export function requireSameOrigin(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, _, done) => {
    const isAllowed = SAFE_METHODS.has(request.method) || isSameOrigin(request);
    done(isAllowed ? undefined : new AppError('forbidden_origin'));
  });
}

function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || URL.parse(headers.origin)?.host === host;
}

const SHARED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

export const DATA_HEADERS = {
  ...SHARED,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

type PageSources = { images?: readonly string[]; calls?: readonly string[]; hasForm?: boolean };

/** A picture that the server fetched from another host is shown as a `blob:`. */
export function pageHeaders({ images = [], calls = [], hasForm = false }: PageSources = {}) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['img-src', "'self'", 'blob:', ...images].join(' '),
    "font-src 'self'",
    ['connect-src', "'self'", ...calls].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    ...SHARED,
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-write=(self)',
  };
}

export function setHeaders(app: FastifyInstance, hstsIncludeSubDomains: boolean): void {
  const hsts = `max-age=63072000${hstsIncludeSubDomains ? '; includeSubDomains' : ''}`;
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(DATA_HEADERS).header('x-request-id', request.id);
    // TLS ends at a proxy, which is believed only when it is trusted.
    if (request.protocol === 'https') reply.header('strict-transport-security', hsts);
    done();
  });
}

export type IsTrustedProxy = (address: string | undefined) => boolean;

export function trustedProxies(proxies: readonly string[]): IsTrustedProxy {
  if (proxies.length === 0) return () => false;
  const matches = compile([...proxies]);
  return (address) => {
    const canonical = canonicalAddress(address);
    return canonical !== null && matches(canonical, 0);
  };
}

/** An address with zone, brackets and port is shorter; a forwarded text may have kilobytes. */
const MAX_LENGTH = 100;

// Some proxies add the client's port: 203.0.113.7:5000 or [2001:db8::1]:5000.
const WITH_BRACKETS_OR_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/** All addresses that cannot be read share one network. */
export function networkOf(address: string | undefined): string {
  const parsed = parseAddress(address);
  if (parsed === null) return 'unknown';
  if (!('parts' in parsed)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

export function canonicalAddress(address: string | undefined): string | null {
  return parseAddress(address)?.toString() ?? null;
}

function parseAddress(text = ''): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text.length > MAX_LENGTH) return null;
  const [, bracketed, plain] = WITH_BRACKETS_OR_PORT.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  // The library also reads 12345 and 0x7f.1, and 010.0.0.1 as octal, so only four decimal parts are accepted.
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return ipaddr.IPv4.parse(host);
  if (!ipaddr.IPv6.isValid(host)) return null;
  const { parts } = ipaddr.IPv6.parse(host);
  const address = new ipaddr.IPv6(parts);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
