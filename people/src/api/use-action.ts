import { useRef, useState } from 'react';
import { sentenceOf } from './call.ts';

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
