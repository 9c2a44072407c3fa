import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { call, type CallArgs } from './call.ts';
import { queryClient } from './query-client.ts';

type ReadArgs<E extends Endpoint> = Omit<CallArgs<E>, 'body'>;

export interface EndpointQueryOptions {
  /** False waits, for instance until an id is known. */
  enabled?: boolean | undefined;
  /** Lists: the rows of the last page stay while the next ones are on their way. */
  keepPrevious?: boolean | undefined;
  staleTimeMs?: number | undefined;
}

/** A read of the contract as react-query knows it: key and fetcher in one. */
export function endpointQuery<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}) {
  return queryOptions({
    queryKey: queryKeyOf(endpoint, args),
    queryFn: ({ signal }): Promise<AnswerOf<E>> => call<E>(endpoint, args, { signal }),
  });
}

/** Named by the endpoint first, so that all reads of one can be invalidated together. */
function queryKeyOf<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}) {
  return [endpoint.name, args.params ?? {}, args.query ?? {}] as const;
}

export function useEndpointQuery<E extends Endpoint>(
  endpoint: E,
  args: ReadArgs<E> = {},
  { enabled = true, keepPrevious = false, staleTimeMs }: EndpointQueryOptions = {},
): UseQueryResult<AnswerOf<E>> {
  return useQuery({
    ...endpointQuery(endpoint, args),
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(staleTimeMs === undefined ? {} : { staleTime: staleTimeMs }),
  });
}

/** Starts a read that a page will likely need. Failing here concerns nobody. */
export function prefetchEndpoint<E extends Endpoint>(endpoint: E, args: ReadArgs<E> = {}): void {
  void queryClient.prefetchQuery({ ...endpointQuery(endpoint, args), retry: false });
}
