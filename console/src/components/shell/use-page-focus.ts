import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { afterPaint } from '../../ui/after-paint.ts';

function moveFocus(target: HTMLElement) {
  if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  target.focus({ preventScroll: true });
}

/**
 * After a navigation the reader's place is the new page's heading, not a link that is gone; or
 * the section that the address names, which is then scrolled to as well.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, hash, key } = useLocation();
  const previous = useRef(pathname);
  const followed = useRef(new Set<string>());

  // Focus is the browser's, and may move only once the new page is in the document.
  useEffect(() => {
    const isNewPage = previous.current !== pathname;
    previous.current = pathname;
    const section = hash === '' ? null : document.getElementById(hash.slice(1));
    if (section !== null) {
      // The router has tried before, but at the start of a visit the page was not there yet. Who
      // comes back to an entry has been led to its section before, and is where they left it.
      if (!followed.current.has(key)) section.scrollIntoView();
      followed.current.add(key);
      moveFocus(section);
      return;
    }
    const page = main.current;
    if (!isNewPage || page === null) return;
    // Focus needs the page laid out, which is the work of the frame that shows it. Not called off
    // when the address changes meanwhile: it is still the same page.
    afterPaint(() => moveFocus(page.querySelector('h1') ?? page));
  }, [pathname, hash, key, main]);
}
