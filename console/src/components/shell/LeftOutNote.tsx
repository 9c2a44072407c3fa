import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { leftOutIn, subscribeLeftOut } from '../../api/left-out.ts';

/** Names, under the page, the fields that the service behind the console left out. */
export function LeftOutNote() {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (listener: () => void) => {
      const unsubscribers = [cache.subscribe(listener), subscribeLeftOut(listener)];
      return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
    },
    [cache],
  );
  const fields = useSyncExternalStore(subscribe, () =>
    leftOutIn(
      cache
        .findAll({ type: 'active' })
        .filter(({ state }) => state.data !== undefined)
        .map(({ queryKey }) => queryKey),
    ).join(', '),
  );
  if (fields === '') return null;
  return (
    <p className="mt-6 text-sm wrap-anywhere text-muted">
      The service left these out, and they are shown as empty or by default: {fields}.
    </p>
  );
}
