import type { Endpoint } from '@meridian/contract/endpoint';
import { useSyncExternalStore } from 'react';
import type { CallArgs } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import type { PathParams } from '../api/request-url.ts';
import {
  changeKey,
  type EndpointMutation,
  type EndpointMutationOptions,
  useEndpointMutation,
} from '../api/use-endpoint-mutation.ts';
import { useFailureElsewhere } from './use-failure-elsewhere.ts';
import { useRunOnce } from './use-run-once.ts';

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
