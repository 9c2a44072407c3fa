import { useEffect, useState } from 'react';
import { usePaused } from '../api/pause.ts';

/** The time, looked at again every few seconds: what expires while it is on screen is seen to expire. */
export function useNow(tickMs = 10_000): Date {
  const [now, setNow] = useState(() => new Date());
  const isPaused = usePaused();

  // Time passes outside of React.
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, [isPaused, tickMs]);

  return now;
}
