import { type RefObject, useEffect, useRef } from 'react';

/** For a box whose button goes away when its work is done: the focus goes to the box, not nowhere. */
export function useFocusKept(isDone: boolean): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);

  // Only after the button is gone does the browser say that nothing has the focus.
  useEffect(() => {
    if (isDone && document.activeElement === document.body) box.current?.focus();
  }, [isDone]);

  return box;
}
