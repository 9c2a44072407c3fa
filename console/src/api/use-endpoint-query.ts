import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { call, type CallArgs } from './call.ts';
import { usePaused } from './pause.ts';
import { queryClient } from './query-client.ts';

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

/**
 * Starts a read that a page will likely need. A failure here is not shown; it is tried again like
 * any read, as the page may be opened meanwhile and wait for this very response.
 */
export function prefetchEndpoint<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}): void {
  void queryClient.prefetchQuery(endpointQuery(endpoint, args));
}

/** The same for a read that is too large to be repeated while its page is open. */
export function ensureEndpoint<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}): void {
  queryClient.ensureQueryData(endpointQuery(endpoint, args)).catch(() => {
    // The page shows the error.
  });
}
