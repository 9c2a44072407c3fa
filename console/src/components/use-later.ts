import { useEffect, useState } from 'react';

/** The first reads and the first paint go first. */
const START_AFTER_MS = 1_000;

/** True a moment after it is wanted, for what a page can do without while it loads. */
export function useLater(isWanted: boolean): boolean {
  const [isDue, setIsDue] = useState(false);
  // Time passes outside of React.
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => setIsDue(true), START_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return isWanted && isDue;
}
