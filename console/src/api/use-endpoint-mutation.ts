import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { call, type CallArgs } from './call.ts';

export interface EndpointMutationOptions {
  /** The reads this change makes old. Those on screen are read again before it counts as done. */
  invalidates?: readonly Pick<Endpoint, 'name'>[] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export type EndpointMutation<E extends Endpoint> = UseMutationResult<
  AnswerOf<E>,
  unknown,
  CallArgs<E>
>;

/** A change of the contract. The answer is never written into the cache: what it changed is read. */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  { invalidates = [], headers }: EndpointMutationOptions = {},
): EndpointMutation<E> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (args: CallArgs<E>) => call(endpoint, args, { headers }),
    onSuccess: () =>
      Promise.all(invalidates.map(({ name }) => client.invalidateQueries({ queryKey: [name] }))),
  });
}
