import type { AnswerOf, BodyInput, Endpoint, QueryOf } from '@meridian/contract/endpoint';
import { REQUEST_MESSAGES } from '@meridian/contract/requests';
import { ApiError } from './api-error.ts';
import { readAnswer } from './read-answer.ts';
import { errorOfResponse } from './read-error.ts';
import { type PathParams, requestUrl } from './request-url.ts';
import { getToken } from './token-store.ts';
import { reportUnauthorized } from './unauthorized.ts';

/** After this long without an answer there will be none. */
const TIMEOUT_MS = 60_000;

export type QueryArgs<E extends Endpoint> = {
  [Name in keyof QueryOf<E>]?: QueryOf<E>[Name] | undefined;
};

/** What a call needs besides its endpoint: ids in the path, the query string, the body. */
export interface CallArgs<E extends Endpoint> {
  params?: PathParams | undefined;
  query?: QueryArgs<E> | undefined;
  body?: BodyInput<E> | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Lets the request outlive the page it was sent from. */
  keepalive?: boolean | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Makes one call of the contract. Throws an ApiError for everything but success. */
export async function call<E extends Endpoint>(
  endpoint: E,
  { params, query, body }: CallArgs<E> = {},
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  const token = endpoint.credential === 'none' ? null : getToken();
  const headers = new Headers({ Accept: 'application/json', ...options.headers });
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');

  const response = await send(requestUrl(endpoint, params, query), options.signal, {
    method: endpoint.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    credentials: 'omit',
    cache: 'no-store',
    keepalive: options.keepalive ?? false,
  });

  if (!response.ok) {
    const error = await errorOfResponse(response);
    if (error.status === 401 && endpoint.credential !== 'none') reportUnauthorized(token);
    throw error;
  }
  // Read along the endpoint's own answer schema, so it has that schema's shape.
  return readAnswer(endpoint.answer, await bodyOf(response, options.signal)) as AnswerOf<E>;
}

async function send(url: string, signal: AbortSignal | undefined, init: RequestInit) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(url, {
      ...init,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ApiError({ status: 0, message: '' }, cause);
  }
}

async function bodyOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? {} : JSON.parse(text);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ApiError({ status: response.status, message: REQUEST_MESSAGES.notJson }, cause);
  }
}
