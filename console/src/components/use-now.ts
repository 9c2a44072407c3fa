import { useEffect, useState } from 'react';

/** Late by this much at most. */
const TICK_MS = 10_000;

/** The time, looked at again every few seconds: what expires while it is on screen is seen to expire. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());

  // Time passes outside of React.
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);

  return now;
}
