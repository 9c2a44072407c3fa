import type { AnswerOf, BodyInput, Endpoint, QueryOf } from '@meridian/contract/endpoint';
import { BACKGROUND_HEADER, REASON_HEADER, REQUEST_MESSAGES } from '@meridian/contract/requests';
import { propertyOf } from '@meridian/contract/untrusted';
import { ApiError, UnexpectedResponseError } from './api-error.ts';
import { isInBackground } from './background.ts';
import { errorOfResponse } from './read-error.ts';
import { type PathParams, requestUrl } from './request-url.ts';
import { headersWith, send } from './send.ts';
import { expectMeridian, whenMeridianIsKnown } from './service.ts';
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
  /** The reason for a change, which Meridian stores. */
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

  // Its code is there with the response, not after it.
  if (expectMeridian() === false) loadForeign().catch(() => undefined);
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
  return read(endpoint, await bodyOf(response, options.signal), { params, query });
}

const loadForeign = () => import('./foreign.ts');

/** These come before it is known whether the server is Meridian, and the console needs no more than the token. */
const ALWAYS_THE_SAME = new Set(['authLogin', 'authLogout']);

async function read<E extends Endpoint>(
  endpoint: E,
  raw: unknown,
  asked: Pick<CallArgs<E>, 'params' | 'query'>,
): Promise<AnswerOf<E>> {
  // The session looks at the token itself.
  if (ALWAYS_THE_SAME.has(endpoint.name)) return raw as AnswerOf<E>;
  const isMeridian =
    endpoint.name === 'authMe'
      ? typeof propertyOf(raw, 'meridian') === 'string'
      : await whenMeridianIsKnown();
  if (!isMeridian) {
    const { readForeign } = await loadForeign();
    return readForeign(endpoint, raw, asked);
  }
  // Meridian serialises its responses by this very schema; of a change it is enough that it succeeded.
  if (endpoint.method !== 'GET') return raw as AnswerOf<E>;
  const result = endpoint.answer.safeParse(raw);
  // Without a message the screen says its own.
  if (!result.success) throw new UnexpectedResponseError({ status: endpoint.status, message: '' });
  return result.data as AnswerOf<E>; // The generic hides that the schema is the endpoint's own.
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
