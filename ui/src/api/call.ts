import { TOKEN_STORAGE_KEY } from '@meridian/contract/auth';
import type { AnswerOf, BodyInput, Endpoint, QueryOf } from '@meridian/contract/endpoint';
import { PICTURE_TYPES, pictureLoad } from '@meridian/contract/pictures';
import { BACKGROUND_HEADER, REASON_HEADER, REQUEST_MESSAGES } from '@meridian/contract/requests';
import { propertyOf } from '@meridian/contract/untrusted';
import { readStored, writeStored } from './browser.ts';
import { ApiError, errorOfResponse, UnexpectedResponseError } from './errors.ts';
import { expectMeridian, whenMeridianIsKnown } from './session.ts';

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

/** Reads what a service sends that is not Meridian; loaded with the first of its responses. */
interface ForeignReader {
  readForeign: (
    endpoint: Endpoint,
    raw: unknown,
    asked: Pick<CallArgs<Endpoint>, 'params' | 'query'>,
  ) => unknown;
}

let loadForeign: () => Promise<ForeignReader> = () =>
  Promise.reject(new Error('No other service is known'));

/** For the page that may stand before another service. */
export function registerForeign(load: typeof loadForeign): void {
  loadForeign = load;
}

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
    return readForeign(endpoint, raw, asked) as AnswerOf<E>; // by the reader of this very endpoint
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

interface FileRequest {
  params?: PathParams;
  query?: QueryValues;
  accept: string;
  signal?: AbortSignal;
  /** It may arrive for minutes: nothing but the signal ends it. */
  isLong?: boolean;
}

/** A response that is no JSON. Throws an ApiError for everything but success. */
export async function fetchFile(endpoint: Endpoint, request: FileRequest): Promise<Response> {
  const { params, query, accept, signal, isLong = false } = request;
  const token = getToken();
  const init = { method: endpoint.method, headers: headersWith(token, { Accept: accept }) };
  const url = requestUrl(endpoint, params, query);
  const response = isLong
    ? await sendLong(url, { ...init, ...(signal && { signal }) })
    : await send(url, init, signal);
  if (response.ok) return response;
  const error = await errorOfResponse(response);
  if (error.status === 401) reportUnauthorized(token);
  throw error;
}

async function sendLong(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'omit', cache: 'no-store', ...init });
  } catch (cause) {
    throw new ApiError({ status: 0, message: '' }, cause);
  }
}

/** Hands a file to the browser, which saves it. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken the blob over by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

const TYPES: readonly string[] = PICTURE_TYPES;

/** A picture of another host, fetched by the server. Throws an ApiError for everything else. */
export async function loadPicture(url: string, signal: AbortSignal): Promise<Blob> {
  const request = { query: { url }, accept: TYPES.join(', '), signal };
  const response = await fetchFile(pictureLoad, request);
  const blob = await response.blob();
  // A blob has this page's origin: one that a browser takes for a document must never become one.
  if (!TYPES.includes(blob.type)) throw new ApiError({ status: response.status, message: '' });
  return blob;
}

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

export type PathParams = Readonly<Record<string, string>>;
export type QueryValues = Readonly<Record<string, unknown>>;

/** The address of a call. Empty filters, a zero offset and false flags are left out. */
export function requestUrl(
  endpoint: Pick<Endpoint, 'name' | 'path'>,
  params: PathParams = {},
  query: QueryValues = {},
  base: string = import.meta.env.VITE_API_BASE_URL ?? '',
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

/** Starts reads that no administrator asked for: the server does not take them for use of the session. */
export function inBackground(startReads: () => void): void {
  isRefreshing = true;
  try {
    startReads();
  } finally {
    isRefreshing = false;
  }
}

/** Asked while a request is put together, which happens as soon as its read is started. */
function isInBackground(): boolean {
  return isRefreshing;
}

type Listener = (token: string | null) => void;

let listener: Listener = () => {};

/** The session listens here, as the client below it cannot know it. */
export function onUnauthorized(next: Listener): void {
  listener = next;
}

/** The server refused this token, which may be another than the one in use by now; null: none is stored. */
function reportUnauthorized(token: string | null): void {
  listener(token);
}

/** Stands in where the browser forbids storage: signed in until the tab closes. */
let memory: string | null = null;

export function getToken(): string | null {
  const stored = readStored(TOKEN_STORAGE_KEY);
  return stored === undefined ? memory : stored;
}

export function setToken(token: string): void {
  keep(token);
}

export function clearToken(): void {
  keep(null);
}

function keep(token: string | null): void {
  memory = token;
  writeStored(TOKEN_STORAGE_KEY, token);
}
