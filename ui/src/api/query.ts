import { QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { call, type CallArgs } from './call.ts';
import { ApiError } from './errors.ts';
import { onSessionEnd } from './session.ts';

type ReadArgs<E extends Endpoint> = Omit<CallArgs<E>, 'body'>;

export interface EndpointQueryOptions<Answer = unknown> {
  /** False waits, for instance until an id is known. */
  enabled?: boolean | undefined;
  staleTimeMs?: number | undefined;
  /** Read again this often while the page is in sight; what was read may decide it. */
  pollMs?: number | ((answer: Answer | undefined) => number | undefined) | undefined;
  /** Polled while updates are paused too: how far something is that an administrator has started. */
  isProgress?: boolean | undefined;
}

/** A read as a page hands it on to its parts. */
export type EndpointQuery<E extends Endpoint> = UseQueryResult<AnswerOf<E>>;

/** A read of the contract as react-query knows it: key and fetcher in one. */
export function endpointQuery<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}) {
  const queryKey = queryKeyOf(endpoint, args);
  // A link under the pointer asks too. Refused to it, a session ends when the link is followed: the
  // page then asks again, and the login leads back to it.
  const endsSession = () => queryClient.getQueryCache().find({ queryKey })?.isActive() ?? false;
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<AnswerOf<E>> => call<E>(endpoint, args, { signal, endsSession }),
  });
}

/** Named by the endpoint first, so that all reads of one can be invalidated together. */
function queryKeyOf<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}) {
  return [endpoint.name, args.params ?? {}, args.query ?? {}] as const;
}

export function useEndpointQuery<E extends Endpoint>(
  endpoint: E,
  args: ReadArgs<E> = {},
  { enabled = true, staleTimeMs, pollMs, isProgress }: EndpointQueryOptions<AnswerOf<E>> = {},
): EndpointQuery<E> {
  const isPaused = usePaused() && isProgress !== true;
  return useQuery({
    ...endpointQuery(endpoint, args),
    enabled,
    refetchOnWindowFocus: !isPaused,
    refetchOnReconnect: !isPaused,
    ...(staleTimeMs === undefined ? {} : { staleTime: staleTimeMs }),
    refetchInterval: ({ state: { data } }) =>
      (!isPaused && (typeof pollMs === 'function' ? pollMs(data) : pollMs)) || false,
  });
}

/** Asks the server now, however fresh the cache is, and keeps the response there. */
export function readNow<E extends Endpoint>(endpoint: E, args: ReadArgs<E>): Promise<AnswerOf<E>> {
  return queryClient.fetchQuery({ ...endpointQuery(endpoint, args), staleTime: 0 });
}

/** What the loader of a page is given. */
export interface LoaderArgs {
  /** The one parameter of the path; empty where there is none. */
  id: string;
  search: URLSearchParams;
}

/**
 * Starts a read that a page will likely need. A failure here is not shown; it is tried again like
 * any read, as the page may be opened meanwhile and wait for this very response.
 */
export function prefetch<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}): void {
  void queryClient.prefetchQuery(endpointQuery(endpoint, args));
}

/** The same for a read that is too large to be repeated while its page is open. */
export function ensureEndpoint<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}): void {
  queryClient.ensureQueryData(endpointQuery(endpoint, args)).catch(() => {
    // The page shows the error.
  });
}

/** Younger data is shown as it is; older data is shown too, and asked for again. */
const FRESH_MS = 10_000;
const RETRY_DELAY_MS = 700;
const RETRY_DELAY_MAX_MS = 5000;

/** One more try where it can help: no response, or a server that may be well again in a moment. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  if (failureCount > 0 || !(error instanceof ApiError)) return false;
  return !error.hasResponse || error.status >= 500;
}

export function retryDelayMs(error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(asked ?? RETRY_DELAY_MS, RETRY_DELAY_MAX_MS);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: shouldRetry,
      retryDelay: (_, error) => retryDelayMs(error),
      // A call that cannot succeed should say so, not wait in silence for the network.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What one administrator has read is not for the next.
onSessionEnd(() => {
  void queryClient.cancelQueries();
  queryClient.clear();
});

/** Of this tab, until it is loaded again. */
let isPaused = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether nothing is read again by itself: what the administrator does is still followed by its reads. */
export const getPaused = () => isPaused;

export const usePaused = () => useSyncExternalStore(subscribe, getPaused);

export function togglePaused(): void {
  isPaused = !isPaused;
  for (const listener of listeners) listener();
  // What is in sight now, the rest when it is opened.
  if (!isPaused) void queryClient.invalidateQueries();
}
