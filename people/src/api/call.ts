import type { AnswerOf, BodyInput, Endpoint, QueryInput } from '@meridian/contract/endpoint';
import { ApiError } from '../../../console/src/api/api-error.ts';
import { errorOfResponse } from '../../../console/src/api/read-error.ts';
import { type PathParams, requestUrl } from '../../../console/src/api/request-url.ts';
import { send } from '../../../console/src/api/send.ts';
import { noteServerTime } from './server-clock.ts';

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
export function caller<E extends Endpoint>(method: E['method'], path: E['path']) {
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
export async function request(url: string, init: RequestInit, signal?: AbortSignal) {
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
