import { useEffect, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';

const STEP_MS = 10_000;

/** The server's time, often enough for slots of a minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => serverNow());
  // The clock is the browser's.
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
