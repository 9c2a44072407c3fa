import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from '@meridian/contract/endpoint';
import { jsonOf } from '../http/bodies.ts';

const TIMEOUT_MS = 30_000;
const WAITS_MAX = 3;
const WAIT_MAX_MS = 60_000;
/** More than any list of tickets that a console could show. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Error codes of Node and OpenSSL: self-signed, of an unknown authority, expired, of another host. */
const CERTIFICATE_REFUSED = /CERT|SIGNATURE/;

export type Request = {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  token?: string | null;
};

/** `json` is undefined when the body is not JSON. */
export type Reply = { status: number; json: unknown };

/** Why there was no response that could be read. */
export class NoResponse extends Error {}

/** Calls the service as the console does. A rate limit is waited for. */
export async function send(base: URL, endpoint: Endpoint, request: Request = {}): Promise<Reply> {
  try {
    for (let wait = 1; ; wait += 1) {
      const response = await sendOnce(base, endpoint, request);
      const text = await textOf(response);
      const { status } = response;
      if (status !== 429 || wait > WAITS_MAX) return { status, json: jsonOf(text) };
      const asked = response.headers.get('retry-after') ?? '';
      const seconds = /^\d{1,9}$/.test(asked) ? Number(asked) : 1;
      await delay(Math.min(seconds * 1000, WAIT_MAX_MS));
    }
  } catch (error) {
    if (error instanceof NoResponse) throw error;
    throw new NoResponse(reasonOf(error), { cause: error });
  }
}

function sendOnce(base: URL, { method, path }: Endpoint, request: Request): Promise<Response> {
  const { params = {}, query = {}, body, token = null } = request;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const url = new URL(base.origin + base.pathname.replace(/\/$/, '') + filled);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The proxy of the console follows none.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
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
