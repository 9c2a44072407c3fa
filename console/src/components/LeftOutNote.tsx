import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

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

/** The fields that the last response to each call left out. */
const leftOut = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();

const keyOf = (name: unknown, params: unknown) => JSON.stringify([name, params ?? {}]);

export function noteLeftOut(name: string, params: unknown, fields: readonly string[]): void {
  leftOut.set(keyOf(name, params), fields);
  for (const listener of listeners) listener();
}

function subscribeLeftOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function leftOutIn(queryKeys: readonly (readonly unknown[])[]): string[] {
  const fields = queryKeys.flatMap(([name, params]) => leftOut.get(keyOf(name, params)) ?? []);
  return [...new Set(fields)].toSorted();
}
