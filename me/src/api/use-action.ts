import { useEffect, useRef, useState } from 'react';
import { OFFLINE, sentenceOf } from './calls.ts';

export type Action<Args extends unknown[]> = {
  isBusy: boolean;
  /** Why it failed, beside what was pressed; undefined otherwise. */
  error: string | undefined;
  /** Whether it succeeded. A second press while it runs does nothing. */
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
  // The connection is the browser's; with it back, the sentence is no longer true.
  useEffect(() => {
    if (!error?.endsWith(OFFLINE)) return undefined;
    const clear = () => setError(undefined);
    window.addEventListener('online', clear);
    return () => window.removeEventListener('online', clear);
  }, [error]);
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
