import { useRef } from 'react';

/**
 * One at a time: whatever comes while it runs is ignored. The second click of a double click comes
 * before the button is drawn as busy, so the busy look alone does not keep it out.
 */
export function useRunOnce(): (work: () => Promise<unknown>) => Promise<void> {
  const isRunning = useRef(false);
  return async (work) => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  };
}
