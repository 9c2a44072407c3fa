import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { showToast } from '@meridian/ui/toasts.ts';

export const OFFLINE = 'You are offline. Try again when you are connected.';

/** The server's words for a failure, or the page's where no response came. */
export function sentenceOf(error: unknown): string {
  const isOurs = error instanceof ApiError;
  if (isOurs && error.hasResponse && !error.isWordless) {
    return error.issues[0]?.message ?? error.message;
  }
  if (!navigator.onLine) return OFFLINE;
  return isOurs
    ? 'The server cannot be reached. Try again.'
    : 'Something went wrong on this page. Reload it.';
}

/** A toast tells the failure of what has no place for a sentence beside it. */
export async function attempt<T>(act: () => Promise<T>, then: (result: T) => void): Promise<void> {
  try {
    then(await act());
  } catch (error) {
    showToast({ message: sentenceOf(error), tone: 'red' });
  }
}

/** Runs each time the browser finds its connection again. */
export function useWhenOnline(act: () => unknown): void {
  const run = useEffectEvent(act);
  // The connection is the browser's.
  useEffect(() => {
    const onOnline = () => void run();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);
}

export type Action<Args extends unknown[]> = {
  isBusy: boolean;
  /** The sentence to show beside what was pressed. */
  error: string | undefined;
  /** Resolves to whether it succeeded. A second press while it runs does nothing. */
  run: (...args: Args) => Promise<boolean>;
  clear: () => void;
};

/** Something that a press begins. */
export function useAction<Args extends unknown[]>(
  act: (...args: Args) => Promise<unknown>,
): Action<Args> {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  useWhenOnline(() => {
    if (error?.endsWith(OFFLINE)) setError(undefined);
  });
  return {
    isBusy,
    error,
    clear: () => setError(undefined),
    async run(...args) {
      if (running.current) return false;
      running.current = true;
      setBusy(true);
      setError(undefined);
      try {
        await act(...args);
        return true;
      } catch (failure) {
        setError(sentenceOf(failure));
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
  };
}
