import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** After a navigation the reader's place is the new page's heading, not a link that is gone. */
export function usePageFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, hash } = useLocation();
  const previous = useRef(pathname);

  // Focus is the browser's, and may move only once the new page is in the document.
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    if (hash !== '') return;
    const heading = main.current?.querySelector('h1');
    const target = heading ?? main.current;
    target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
  }, [pathname, hash, main]);
}
