import type { IncomingHttpHeaders } from 'node:http';
import { POST_COLLECTION } from './network.ts';
import type { Account, Network, NetworkResponse } from './network.ts';
import { NoResponse } from './transport.ts';
import type { HttpRequest, HttpResponse, Transport } from './transport.ts';

/** It throws NoResponse, which is `unreachable` if nothing was sent; any other error reaches the caller. */
export type SendAs = (
  account: Account,
  path: string,
  request: HttpRequest,
) => Promise<HttpResponse>;

export function createPdsNetwork({
  transport,
  sendAs,
  findHost,
  refreshSession,
}: Pick<Network, 'findHost' | 'refreshSession'> & {
  transport: Transport;
  sendAs: SendAs;
}): Network {
  function post(account: Account, method: string, type: string, body: string | Uint8Array) {
    const headers = { ...JSON_HEADERS, 'content-type': type };
    const sending = sendAs(account, `/xrpc/${method}`, { method: 'POST', headers, body });
    return settled(sending, account.host);
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
      settled(getRecord(transport, host, { repo, collection: POST_COLLECTION, rkey }), host),
    getRepoStatus(host, did) {
      const path = `/xrpc/com.atproto.sync.getRepoStatus?${new URLSearchParams({ did }).toString()}`;
      return settled(transport.request(host, path, { method: 'GET', headers: JSON_HEADERS }), host);
    },
    findHost,
    refreshSession,
    uploadBlob: (account, bytes, mimeType) =>
      post(account, 'com.atproto.repo.uploadBlob', mimeType, bytes),
    close: () => transport.close(),
  };
}

/** Compression is declined: a response that is not unpacked cannot explode. */
export const HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'Meridian' };
const JSON_HEADERS = { ...HEADERS, accept: 'application/json' };

export function getRecord(
  transport: Transport,
  host: string,
  record: { repo: string; collection: string; rkey: string },
): Promise<HttpResponse> {
  const path = `/xrpc/com.atproto.repo.getRecord?${new URLSearchParams(record).toString()}`;
  return transport.request(host, path, { method: 'GET', headers: JSON_HEADERS });
}

async function settled(sending: Promise<HttpResponse>, host: string): Promise<NetworkResponse> {
  try {
    return responseOf(await sending);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    const { reason, status, origin } = error;
    const isElsewhere = origin !== null && origin !== URL.parse(host)?.origin;
    return { kind: 'no_response', reason, status, ...(isElsewhere && { elsewhere: origin }) };
  }
}

function responseOf({ status, headers, text }: HttpResponse): NetworkResponse {
  const isSuccess = status >= 200 && status < 300;
  const body = jsonObject(text);
  // A proxy in front of the host may refuse in its own words; a success without JSON proves nothing.
  if (body === null && isSuccess) return { kind: 'no_response', reason: 'unreadable', status };
  const word = (name: string, limit: number) => {
    const value = body?.[name];
    return isSuccess || typeof value !== 'string' ? null : value.slice(0, limit);
  };
  return {
    kind: 'response',
    status,
    error: word('error', 100),
    message: word('message', 1_000),
    body,
    retryAt: isSuccess ? null : retryTime(status, headers, Date.now()),
  };
}

/** The network resets its limits within a day; a later time is a mistake of the host. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

export function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : null;
  } catch {
    return null;
  }
}

export function retryTime(status: number, headers: IncomingHttpHeaders, now: number): Date | null {
  const reset = status === 429 ? Number(headers['ratelimit-reset'] ?? Number.NaN) * 1_000 : NaN;
  const times = [reset, retryAfter(headers['retry-after'], now)].filter((time) => time > now);
  return times.length === 0 ? null : new Date(Math.min(Math.max(...times), now + MAX_WAIT_MS));
}

function retryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return Number.NaN;
  return /^\d+$/.test(value) ? now + Number(value) * 1_000 : Date.parse(value);
}
