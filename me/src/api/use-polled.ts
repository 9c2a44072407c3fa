import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '@meridian/ui/api/errors.ts';

export type Polled<T> = {
  data: T | undefined;
  /** Of the last attempt; what was read before stays. */
  error: unknown;
  isLoading: boolean;
  /** Now. Resolves when it was read. */
  reload: () => Promise<void>;
  /** What is known already and need not be read. */
  change: (next: (data: T) => T) => void;
};

const FIRST_RETRY_MS = 2_000;
const LONGEST_MS = 60_000;
/** While the server tells of changes: for what it does not tell. */
const LIVE_PAUSE_MS = 60_000;
/** Coming back to the tab twice in a moment is one reason to read. */
const FRESH_MS = 2_000;

type Reader = {
  again: () => Promise<void>;
  /** The pause is another one now. */
  plan: () => void;
};
const readers = new Set<Reader>();
let isLive = false;
let isPaused = false;

/** Whether the server tells of changes: then reading by the clock is rare. */
export function setLive(next: boolean): void {
  if (isLive === next) return;
  isLive = next;
  for (const { plan } of readers) plan();
}

/** Nothing is read by itself until what it returns is called; what a press asks for still is. */
export function pauseUpdates(): () => void {
  isPaused = true;
  return () => {
    isPaused = false;
    readAgain();
  };
}

/** Everything that the page shows, now. */
export function readAgain(): void {
  if (isPaused) return;
  for (const { again } of readers) void again();
}

/** How long to wait after so many failures in a row. */
export function backoffMs(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, Math.min(LONGEST_MS, FIRST_RETRY_MS * 2 ** (failures - 1)));
}

/**
 * Reads, and reads again when the server tells of a change, or after the pause that the data asks for:
 * only while the page is in sight, at once when it comes back or the connection does, and ever more
 * rarely while it fails.
 */
export function usePolled<T>(
  load: (before: T | undefined, signal: AbortSignal) => Promise<T>,
  pauseMs: (data: T) => number,
): Polled<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown; isLoading: boolean }>({
    isLoading: true,
  });
  const latest = useRef<T>(undefined);
  const run = useRef<(() => Promise<void>) | undefined>(undefined);
  const read = useEffectEvent(load);
  const pause = useEffectEvent(pauseMs);

  // The clock, the connection and the visibility of the page are the browser's.
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reading: Promise<void> | undefined;
    let failures = 0;
    let readAt = 0;
    let waitMs = 0;

    async function readOnce() {
      try {
        let before: T | undefined;
        let data: T;
        do {
          before = latest.current;
          data = await read(before, stop.signal);
          // What was changed meanwhile is not in it: it would come undone.
        } while (latest.current !== before);
        latest.current = data;
        failures = 0;
        waitMs = pause(data);
        setState({ data, isLoading: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        failures += 1;
        waitMs = backoffMs(failures, error);
        setState((now) => ({ ...now, error, isLoading: false }));
      }
      readAt = Date.now();
      if (!stop.signal.aborted) plan();
    }
    function plan() {
      clearTimeout(timer);
      timer = setTimeout(onTimer, isLive && failures === 0 ? LIVE_PAUSE_MS : waitMs);
    }
    function start(): Promise<void> {
      clearTimeout(timer);
      reading ??= readOnce().finally(() => {
        reading = undefined;
      });
      return reading;
    }
    function onTimer() {
      if (!isPaused && document.visibilityState === 'visible') void start();
    }
    function onReturn() {
      if (Date.now() - readAt > FRESH_MS) onTimer();
    }
    /** What is known of the last attempt is no longer true. */
    function forget() {
      setState((now) => ({ ...now, error: undefined }));
    }
    function onOnline() {
      forget();
      onReturn();
    }
    async function again() {
      forget();
      // What is being read now may be from before the change.
      await reading;
      await start();
    }
    const reader = { again, plan };
    run.current = again;
    readers.add(reader);
    void start();
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('online', onOnline);
    return () => {
      stop.abort();
      readers.delete(reader);
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('online', onOnline);
    };
  }, []);

  const reload = useCallback(async () => run.current?.(), []);
  const change = useCallback((next: (data: T) => T) => {
    if (latest.current === undefined) return;
    const data = next(latest.current);
    latest.current = data;
    setState((now) => ({ ...now, data }));
  }, []);
  return { data: state.data, error: state.error, isLoading: state.isLoading, reload, change };
}
