import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';

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
