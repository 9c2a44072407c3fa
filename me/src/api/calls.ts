import type { AnswerOf, BodyInput, Endpoint, QueryInput } from '@meridian/contract/endpoint';
import type {
  meDelete,
  meDisconnect,
  meExport,
  meGet,
  meSignIn,
  meSignOut,
  meTicketRedeem,
} from '@meridian/contract/me/account';
import type {
  meLinkCard,
  meMediaUpload,
  mePostCancel,
  mePostCreate,
  mePostDelete,
  mePostGet,
  mePostList,
  mePostRetry,
  mePostUpdate,
} from '@meridian/contract/me/posts';
import { type PathParams, requestUrl, send } from '@meridian/ui/api/call.ts';
import { ApiError, errorOfResponse } from '@meridian/ui/api/errors.ts';
import { showToast } from '@meridian/ui/toasts.tsx';

type Args<E extends Endpoint> = {
  params?: PathParams;
  query?: QueryInput<E>;
  body?: BodyInput<E>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};

/** Whose page this is: another tab may have signed in as someone else. */
export const whose: Record<string, string> = {};

const listeners = new Set<(error: ApiError) => void>();

/** For what a refusal means beyond the call: the session has ended, the service is suspended. */
export function onRefused(listener: (error: ApiError) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A call by its method and path, with the types of its endpoint. Only the types: the schemas behind
 * them would be a tenth of what the page may weigh. calls.test.ts holds them against the contract.
 */
function caller<E extends Endpoint>(method: E['method'], path: E['path']) {
  return async ({ params, query = {}, body, headers = {}, signal }: Args<E> = {}) => {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const response = await request(
      requestUrl({ name: path, path }, params, query, ''),
      {
        method,
        headers: {
          ...whose,
          ...headers,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        body: json ?? null,
      },
      signal,
    );
    // The server serialises every response by the schema of its endpoint.
    return (await response.json()) as AnswerOf<E>;
  };
}

/** Throws an ApiError for everything but success. */
async function request(url: string, init: RequestInit, signal?: AbortSignal) {
  const response = await send(url, { ...init, credentials: 'same-origin' }, signal);
  noteServerTime(response.headers.get('date'));
  if (response.ok) return response;
  const error = await errorOfResponse(response);
  for (const listener of listeners) listener(error);
  throw error;
}

export const OFFLINE = 'You are offline. Try again when you are connected.';

/** In the server's words, or ours where no response came. */
export function sentenceOf(error: unknown): string {
  const isOurs = error instanceof ApiError;
  if (isOurs && error.hasResponse && !error.isWordless) {
    return error.issues[0]?.message ?? error.message;
  }
  if (!navigator.onLine) return OFFLINE;
  return isOurs
    ? 'The server cannot be reached. Try again.'
    : 'Something went wrong on this page. Reload it.';
}

const MEDIA_PATH: (typeof meMediaUpload)['path'] = '/api/me/media';
export const EXPORT_PATH: (typeof meExport)['path'] = '/api/me/export';

/** Every call of the page. */
export const calls = {
  meSignIn: caller<typeof meSignIn>('POST', '/api/me/sign-in'),
  meSignOut: caller<typeof meSignOut>('POST', '/api/me/sign-out'),
  meGet: caller<typeof meGet>('GET', '/api/me'),
  meDisconnect: caller<typeof meDisconnect>('POST', '/api/me/disconnect'),
  meDelete: caller<typeof meDelete>('POST', '/api/me/delete'),
  meLinkCard: caller<typeof meLinkCard>('POST', '/api/me/link-card'),
  mePostCreate: caller<typeof mePostCreate>('POST', '/api/me/posts'),
  mePostList: caller<typeof mePostList>('GET', '/api/me/posts'),
  mePostGet: caller<typeof mePostGet>('GET', '/api/me/posts/{id}'),
  mePostUpdate: caller<typeof mePostUpdate>('PATCH', '/api/me/posts/{id}'),
  mePostCancel: caller<typeof mePostCancel>('POST', '/api/me/posts/{id}/cancel'),
  mePostDelete: caller<typeof mePostDelete>('DELETE', '/api/me/posts/{id}'),
  mePostRetry: caller<typeof mePostRetry>('POST', '/api/me/posts/{id}/retry'),
  meTicketRedeem: caller<typeof meTicketRedeem>('POST', '/api/me/tickets/redeem'),
};

/** The bytes themselves, of the type that they say. */
export async function uploadPicture(picture: Blob, signal?: AbortSignal) {
  const headers = { ...whose, 'content-type': picture.type };
  const init = { method: 'POST', headers, body: picture };
  const response = await request(MEDIA_PATH, init, signal);
  // The server serialises every response by the schema of its endpoint.
  return ((await response.json()) as AnswerOf<typeof meMediaUpload>).media;
}

/** Of what has no place for a sentence beside it, a failure is told by a toast. */
export async function attempt<T>(act: () => Promise<T>, then: (result: T) => void): Promise<void> {
  try {
    then(await act());
  } catch (error) {
    showToast({ message: sentenceOf(error), tone: 'red' });
  }
}

/** A slow response looks like a clock that is off by as much. */
const TOLERANCE_MS = 30_000;

let behindMs = 0;

/** From the `Date` of a response: slots are those of the server's clock, and this one may be wrong. */
export function noteServerTime(date: string | null): void {
  const differenceMs = Date.parse(date ?? '') - Date.now();
  behindMs = Math.abs(differenceMs) > TOLERANCE_MS ? differenceMs : 0;
}

/** The server's time, as far as it is known. */
export function serverNow(): number {
  return Date.now() + behindMs;
}
