import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { useState } from 'react';
import { isMeridian } from './service.ts';
import { isOutdated } from './api-error.ts';
import { call, type CallArgs, type CallOptions } from './call.ts';
import { keptKey } from './idempotency-key.ts';
import type { PathParams } from './request-url.ts';
import { errorOfWrite, UnknownOutcomeError } from './unknown-outcome.ts';

export interface EndpointMutationOptions {
  /** The reads this change makes old. Those on screen are read again before it counts as done. */
  invalidates?: readonly Pick<Endpoint, 'name'>[] | undefined;
  endsSession?: CallOptions['endsSession'];
  /** What is changed: whether that is at work can then be asked by the key of the change. */
  of?: PathParams | undefined;
}

export type EndpointMutation<E extends Endpoint> = UseMutationResult<
  AnswerOf<E>,
  unknown,
  CallArgs<E>
>;

/** All changes of one kind to one thing, wherever they were asked for. */
export const changeKey = ({ name }: Pick<Endpoint, 'name'>, of: PathParams) => [name, of];

/** A change of the contract. The response is never written into the cache: what it changed is read. */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  { invalidates = [], endsSession, of }: EndpointMutationOptions = {},
): EndpointMutation<E> {
  const client = useQueryClient();
  const [key] = useState(keptKey);
  const readAgain = () =>
    Promise.all(invalidates.map(({ name }) => client.invalidateQueries({ queryKey: [name] })));
  return useMutation({
    ...(of && { mutationKey: changeKey(endpoint, of) }),
    mutationFn: async (args: CallArgs<E>) => {
      // A lost response and a second click then make one thing, not two.
      const isKeyed = endpoint.takesKey && isMeridian();
      const headers = isKeyed ? { 'Idempotency-Key': key.keyFor(args) } : {};
      const wasOffline = !navigator.onLine;
      try {
        const answer = await call(endpoint, args, { headers, endsSession });
        key.spend();
        return answer;
      } catch (error) {
        throw errorOfWrite(error, isKeyed, wasOffline);
      }
    },
    onSuccess: readAgain,
    onError: (error) => {
      // Refused because of its state, or perhaps made: what is on screen may not be how things are.
      if (isOutdated(error) || error instanceof UnknownOutcomeError) void readAgain();
    },
  });
}
