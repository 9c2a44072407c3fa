import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { AnswerOf } from '@meridian/contract/endpoint';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { getPaused, queryClient, usePaused } from '@meridian/ui/api/query.ts';
import { useWhenOnline } from './actions.ts';
import { meEvents } from './calls.ts';

export type Read<T> = {
  data: T | undefined;
  /** The last attempt failed with it; the data of an earlier one stays. */
  error: unknown;
  /** The first attempt is over. */
  isFetched: boolean;
  /** Reads at once; nothing of the failure is shown meanwhile. */
  retry: () => void;
};

type Failure = { count: number; error: unknown };

/** Coming back to the tab twice in a moment is one reason to read. */
const FRESH_MS = 2_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_MS = 60_000;
/** The stream does not tell of everything. */
const LIVE_PAUSE_MS = 60_000;

/** The pause after so many failures in a row. */
export function backoffMs({ count, error }: Failure): number {
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, Math.min(LONGEST_MS, FIRST_RETRY_MS * 2 ** (count - 1)));
}

/**
 * Reads, and reads again when the server tells of a change, or after the pause that the data asks for:
 * only while the page is in sight, at once when it comes back or the connection does, and ever more
 * rarely while it fails. The data goes with the last component that shows it.
 */
export function useRead<T>(
  queryKey: QueryKey,
  read: (signal: AbortSignal) => Promise<T>,
  pauseMs: (data: T) => number,
): Read<T> {
  const isPaused = usePaused();
  const isTold = useSyncExternalStore(subscribe, () => isLive);
  // The cache counts no failures in a row, and forgets an error as soon as it tries again.
  const [failure, setFailure] = useState<Failure>();
  const { data, isFetched } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      try {
        const result = await read(signal);
        setFailure(undefined);
        return result;
      } catch (error) {
        if (!signal.aborted) setFailure((now) => ({ count: (now?.count ?? 0) + 1, error }));
        throw error;
      }
    },
    gcTime: 0,
    staleTime: FRESH_MS,
    retry: false,
    refetchOnWindowFocus: !isPaused,
    refetchOnReconnect: !isPaused,
    refetchInterval: ({ state }) => {
      if (isPaused) return false;
      if (failure !== undefined) return backoffMs(failure);
      return isTold || state.data === undefined ? LIVE_PAUSE_MS : pauseMs(state.data);
    },
  });
  useWhenOnline(() => setFailure(undefined));
  return {
    data,
    error: failure?.error,
    isFetched,
    retry() {
      setFailure(undefined);
      void readAgain();
    },
  };
}

/** Everything that the page shows, now. Resolves when it was read. */
export async function readAgain(): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' });
  // A read that is under way may have begun before the change.
  await Promise.allSettled(underWay.flatMap(({ promise }) => promise ?? []));
  await queryClient.invalidateQueries({}, { cancelRefetch: false });
}

/** Changes data as is known already; a read that is under way would undo it, and so is called off. */
export function changeRead<T>(queryKey: QueryKey, next: (data: T) => T): void {
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData<T>(queryKey, (data) => data && next(data));
}

let isLive = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setLive(next: boolean): void {
  isLive = next;
  for (const listener of listeners) listener();
}

/** The browser tries again by itself after a cut, but not after a refusal. */
const RETRY_MS = 30_000;

/**
 * Reads again whenever the server says so; returns the end of it. The stream is open only while the page
 * is visible: a browser has few connections to one host, and every tab would take one.
 */
export function followEvents(): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close() {
    clearTimeout(timer);
    source?.close();
    setLive(false);
  }
  function follow() {
    close();
    if (document.visibilityState !== 'visible') return;
    const opened = new EventSource(meEvents.path);
    source = opened;
    opened.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      setLive(true);
      const { topics } = JSON.parse(data) as AnswerOf<typeof meEvents>; // our own server's
      if (topics.length > 0 && !getPaused()) void readAgain();
    });
    opened.addEventListener('error', () => {
      setLive(false);
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(follow, RETRY_MS);
    });
  }

  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    close();
  };
}
