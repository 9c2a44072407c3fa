import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from '@meridian/contract/endpoint';
import { jsonOf } from '../http/json-text.ts';

const TIMEOUT_MS = 30_000;
const WAITS_MAX = 3;
const WAIT_MAX_MS = 60_000;
/** More than any list of tickets that a console could show. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Of Node and OpenSSL: self-signed, of an unknown authority, expired, of another host. */
const CERTIFICATE_REFUSED = /CERT|SIGNATURE/;

export type Request = {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Instead of the token of the session; null for none. */
  token?: string | null;
};

export type Reply = {
  status: number;
  /** Undefined when the body is not JSON. */
  json: unknown;
};

/** Why there was no response that could be read. */
export class NoResponse extends Error {}

export type Client = {
  send(endpoint: Endpoint, request?: Request): Promise<Reply>;
  setToken(token: string): void;
};

/** Calls the other server as the console does. A rate limit is waited for. */
export function createClient(base: URL): Client {
  let sessionToken: string | null = null;

  async function sendOnce(endpoint: Endpoint, request: Request): Promise<Response> {
    const { params = {}, query = {}, body, token = sessionToken } = request;
    const hasToken = endpoint.credential === 'bearer' && token !== null;
    return fetch(urlOf(base, endpoint, params, query), {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(hasToken && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // The proxy of the console follows none.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }

  return {
    setToken(token) {
      sessionToken = token;
    },
    async send(endpoint, request = {}) {
      try {
        for (let wait = 1; ; wait += 1) {
          const response = await sendOnce(endpoint, request);
          const text = await textOf(response);
          const { status } = response;
          if (status !== 429 || wait > WAITS_MAX) return { status, json: jsonOf(text) };
          await delay(waitMs(response.headers.get('retry-after')));
        }
      } catch (error) {
        if (error instanceof NoResponse) throw error;
        throw new NoResponse(reasonOf(error), { cause: error });
      }
    },
  };
}

function waitMs(retryAfter: string | null): number {
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : 1;
  return Math.min(seconds * 1000, WAIT_MAX_MS);
}

function urlOf(
  base: URL,
  { path }: Endpoint,
  params: Record<string, string>,
  query: Record<string, string | number>,
): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const url = new URL(base.origin + base.pathname.replace(/\/$/, '') + filled);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url;
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > BODY_MAX_BYTES) throw new NoResponse('the response is larger than 16 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`;
  const { cause } = error;
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
  if (typeof code !== 'string') return 'the connection failed';
  return CERTIFICATE_REFUSED.test(code)
    ? `its certificate cannot be verified (${code}); if it is of an authority of your own, name that one's file in NODE_EXTRA_CA_CERTS`
    : `the connection failed (${code})`;
}
