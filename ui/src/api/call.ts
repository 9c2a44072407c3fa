import type { AnswerOf, BodyInput, Endpoint, QueryOf } from '@meridian/contract/endpoint';
import { BACKGROUND_HEADER, REASON_HEADER, REQUEST_MESSAGES } from '@meridian/contract/requests';
import { ApiError, errorOfResponse, UnexpectedResponseError } from './errors.ts';

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

/** A page says once, before its first call, who asks and what a response means to it. */
export interface Access {
  /** The origin of the API; undefined for the page's own. */
  base?: (() => string | undefined) | undefined;
  credentials: RequestCredentials;
  /** Called before each request. Throws where nobody is signed in. */
  identify: (endpoint: Endpoint) => Identity;
  /** Every response passes here before it is read. */
  onResponse?: ((response: Response) => void) | undefined;
}

interface Identity {
  headers: Readonly<Record<string, string>>;
  /** The session that made the request may have ended with this refusal. */
  onRefused?: ((error: ApiError) => void) | undefined;
  /** The body of a success, as the endpoint's type has it. */
  read: (raw: unknown, asked: Asked) => unknown;
}

type Asked = Pick<CallArgs<Endpoint>, 'params' | 'query'>;

let access: Access = {
  credentials: 'omit',
  identify: () => ({ headers: {}, read: (raw) => raw }),
};

export function registerAccess(next: Access): void {
  access = next;
}

/** Makes one call of the contract. Throws an ApiError for everything but success. */
export async function call<E extends Endpoint>(
  endpoint: E,
  { params, query, body, headers, reason }: CallArgs<E> = {},
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  const sent = {
    params,
    query,
    headers: {
      ...options.headers,
      ...headers,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(reason && { [REASON_HEADER]: encodeURIComponent(reason.toWellFormed()) }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
  const identity = access.identify(endpoint);
  const response = await request(endpoint, sent, options, identity);
  const raw = await bodyOf(response, options.signal);
  // The page's access reads along this very endpoint.
  return (await identity.read(raw, { params, query })) as AnswerOf<E>;
}

interface RequestArgs {
  params?: PathParams | undefined;
  query?: QueryValues | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: BodyInit | null | undefined;
}

interface RequestOptions extends Omit<CallOptions, 'headers'> {
  /** The response may arrive for minutes: nothing but the signal ends it. */
  isLong?: boolean | undefined;
}

/** The response of any endpoint, unread. Throws an ApiError for everything but success. */
export async function request(
  endpoint: Endpoint,
  { params, query, headers, body = null }: RequestArgs,
  { signal, keepalive = false, isLong = false, endsSession }: RequestOptions = {},
  identity: Identity = access.identify(endpoint),
): Promise<Response> {
  const { method } = endpoint;
  const all = new Headers({ Accept: 'application/json', ...headers, ...identity.headers });
  if (isRefreshing) all.set(BACKGROUND_HEADER, '1');
  const { credentials, base } = access;
  const init = { method, headers: all, body, keepalive, credentials };
  const response = await send(requestUrl(endpoint, params, query, base?.()), init, signal, isLong);
  access.onResponse?.(response);
  if (response.ok) return response;
  const error = await errorOfResponse(response);
  const endsNothing = error.status === 401 && (await endsSession?.()) === false;
  if (!endsNothing) identity.onRefused?.(error);
  throw error;
}

/** After this long without a response there will be none. */
const TIMEOUT_MS = 60_000;

/** Throws an ApiError when no response comes. */
async function send(
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
  isLong: boolean,
): Promise<Response> {
  const timeout = isLong ? undefined : AbortSignal.timeout(TIMEOUT_MS);
  const ends = [signal, timeout].filter((one) => one !== undefined);
  try {
    return await fetch(url, { cache: 'no-store', ...init, signal: AbortSignal.any(ends) });
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
    const message = REQUEST_MESSAGES.notJson;
    throw new UnexpectedResponseError({ status: response.status, message }, cause);
  }
}

interface FileRequest extends Pick<RequestOptions, 'signal' | 'isLong'> {
  params?: PathParams;
  query?: QueryValues;
  accept: string;
}

/** A response that is no JSON. Throws an ApiError for everything but success. */
export function fetchFile(
  endpoint: Endpoint,
  { params, query, accept, ...options }: FileRequest,
): Promise<Response> {
  return request(endpoint, { params, query, headers: { Accept: accept } }, options);
}

/** Hands a file to the browser, which saves it. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken the blob over by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

export type PathParams = Readonly<Record<string, string>>;
export type QueryValues = Readonly<Record<string, unknown>>;

/** The address of a call. Empty filters, a zero offset and false flags are left out. */
function requestUrl(
  endpoint: Pick<Endpoint, 'name' | 'path'>,
  params: PathParams = {},
  query: QueryValues = {},
  base = '',
): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (!value) throw new Error(`${endpoint.name} needs the path parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      if (value) search.set(name, value.toString());
    }
  }
  const suffix = search.size > 0 ? `?${search}` : '';
  return `${base.replace(/\/+$/, '')}${path}${suffix}`;
}

let isRefreshing = false;

/** Starts reads that nobody asked for: the server does not take them for use of the session. */
export function inBackground(startReads: () => void): void {
  isRefreshing = true;
  try {
    startReads();
  } finally {
    isRefreshing = false;
  }
}
