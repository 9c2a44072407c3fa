import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { useRunOnce } from '../hooks.ts';
import { call, type CallArgs, type CallOptions, type PathParams } from './call.ts';
import { isOutdated } from './errors.ts';
import { queryClient } from './query.ts';
import { isMeridian } from './session.ts';
import { errorOfWrite, keptKey, UnknownOutcomeError, useFailureElsewhere } from './outcome.ts';

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
const changeKey = ({ name }: Pick<Endpoint, 'name'>, of: PathParams) => [name, of];

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

interface ChangeOptions extends EndpointMutationOptions {
  /** What is changed. */
  of: PathParams;
  /** The default message of a failure. */
  failed: string;
}

export type Change<E extends Endpoint> = Pick<
  EndpointMutation<E>,
  'isPending' | 'error' | 'reset' | 'mutateAsync'
> & {
  /** For the press of a button: one at a time, and a failure is shown by `error`. */
  run: (work: () => Promise<unknown>) => void;
};

const subscribe = (listener: () => void) => queryClient.getMutationCache().subscribe(listener);

/** Whether this is being changed, from this page or from one that was left meanwhile. */
export function useIsAtWork(endpoint: Endpoint, of: PathParams): boolean {
  // Not useIsMutating: the library's code is in a file that every page loads, and this one is not.
  return useSyncExternalStore(
    subscribe,
    () => queryClient.isMutating({ mutationKey: changeKey(endpoint, of) }) > 0,
  );
}

/**
 * A change behind a button without a dialog. It belongs to what it changes and not to the page: an
 * administrator who leaves and returns finds it still at work, and its failure is told elsewhere too.
 */
export function useChange<E extends Endpoint>(
  endpoint: E,
  { failed, ...options }: ChangeOptions,
): Change<E> {
  const { error, reset, mutateAsync } = useEndpointMutation(endpoint, options);
  const isPending = useIsAtWork(endpoint, options.of);
  const tellElsewhere = useFailureElsewhere(failed);
  const runOnce = useRunOnce();
  return {
    isPending,
    run: (work) => void runOnce(work).catch(() => {}),
    error,
    reset,
    mutateAsync: (args: CallArgs<E>) => mutateAsync(args).catch(tellElsewhere),
  };
}
