import type { AnswerOf, BodyInput, Endpoint, QueryOf } from '@meridian/contract/endpoint';
import { REASON_HEADER } from '@meridian/contract/audit-feature';
import { BACKGROUND_HEADER, REQUEST_MESSAGES } from '@meridian/contract/requests';
import { isResponse } from '@meridian/contract/response-shape';
import { ApiError, UnexpectedResponseError } from './api-error.ts';
import { isInBackground } from './background.ts';
import { readResponse } from './read-response.ts';
import { errorOfResponse } from './read-error.ts';
import { type PathParams, requestUrl } from './request-url.ts';
import { headersWith, send } from './send.ts';
import { getToken } from './token-store.ts';
import { reportUnauthorized } from './unauthorized.ts';

export type QueryArgs<E extends Endpoint> = {
  [Name in keyof QueryOf<E>]?: QueryOf<E>[Name] | undefined;
};

/** What a call needs besides its endpoint: ids in the path, the query string, the body. */
export interface CallArgs<E extends Endpoint> {
  params?: PathParams | undefined;
  query?: QueryArgs<E> | undefined;
  body?: BodyInput<E> | undefined;
  /** If-Match: of the version that was seen when the change was asked for. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Why; for a server that announces reasons. */
  reason?: string | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Lets the request outlive the page it was sent from. */
  keepalive?: boolean | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Asked after a 401: whether it ends the session. It does unless told otherwise. */
  endsSession?: (() => boolean | Promise<boolean>) | undefined;
}

/** Makes one call of the contract. Throws an ApiError for everything but success. */
export async function call<E extends Endpoint>(
  endpoint: E,
  { params, query, body, headers: more, reason }: CallArgs<E> = {},
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  const needsToken = endpoint.credential !== 'none';
  const token = needsToken ? getToken() : null;
  if (needsToken && token === null) {
    reportUnauthorized(null);
    throw new ApiError({ status: 401, message: '' });
  }
  const headers = headersWith(token, { ...options.headers, ...more });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (reason) headers.set(REASON_HEADER, encodeURIComponent(reason.toWellFormed()));
  if (isInBackground()) headers.set(BACKGROUND_HEADER, '1');

  const url = requestUrl(endpoint, params, query);
  const init = {
    method: endpoint.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    keepalive: options.keepalive ?? false,
  };
  const response = await send(url, init, options.signal);

  if (!response.ok) {
    const error = await errorOfResponse(response);
    const isRefused = error.status === 401 && needsToken;
    if (isRefused && (await options.endsSession?.()) !== false) reportUnauthorized(token);
    throw error;
  }
  const raw = await bodyOf(response, options.signal);
  // Of a change it is enough that it succeeded; of a read the response is all there is. Without a
  // message the screen says its own.
  if (endpoint.method === 'GET' && !isResponse(endpoint.answer, raw)) {
    throw new UnexpectedResponseError({ status: response.status, message: '' });
  }
  // Read along the endpoint's own response schema, so it has that schema's shape.
  return readResponse(endpoint.answer, raw) as AnswerOf<E>;
}

async function bodyOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? {} : JSON.parse(text);
  } catch (cause) {
    signal?.throwIfAborted();
    const message = REQUEST_MESSAGES.notJson;
    throw new UnexpectedResponseError({ status: response.status, message }, cause);
  }
}
