import { useEffect, useState } from 'react';
import { usePaused } from '../api/pause.ts';

/** Late by this much at most. */
const TICK_MS = 10_000;

/** The time, looked at again every few seconds: what expires while it is on screen is seen to expire. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  const isPaused = usePaused();

  // Time passes outside of React.
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, [isPaused]);

  return now;
}
