import { ApiError } from './api-error.ts';

/** After this long without a response there will be none. */
const TIMEOUT_MS = 60_000;

export function headersWith(token: string | null, more: Readonly<Record<string, string>> = {}) {
  const headers = new Headers({ Accept: 'application/json', ...more });
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  return headers;
}

/** Sends a request. Throws an ApiError when no response comes. */
export async function send(
  url: string,
  init: RequestInit,
  signal?: AbortSignal,
): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(url, {
      credentials: 'omit',
      cache: 'no-store',
      ...init,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ApiError({ status: 0, message: '' }, cause);
  }
}
