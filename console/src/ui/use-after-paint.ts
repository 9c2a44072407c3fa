import { startTransition, useEffect, useState } from 'react';
import { afterPaint } from './after-paint.ts';

/** For what is out of sight in the first frame: false until that frame has been painted. */
export function useAfterPaint(isPaintedAlready = false): boolean {
  const [isPainted, setPainted] = useState(isPaintedAlready);

  // Only the browser knows when it has painted. Nobody waits for it: a key or a click goes first.
  useEffect(() => {
    if (isPainted) return undefined;
    return afterPaint(() => startTransition(() => setPainted(true)));
  }, [isPainted]);

  return isPainted;
}
