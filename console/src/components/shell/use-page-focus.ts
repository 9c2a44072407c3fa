import { type RefObject, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { afterPaint } from '../../ui/after-paint.ts';

export function moveFocus(target: HTMLElement): void {
  // What takes the focus by itself keeps its place in the order of Tab.
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex'))
    target.setAttribute('tabindex', '-1');
  target.focus({ preventScroll: true });
}

/** The link by which this page was left, to which Back returns. */
function linkTo(pathname: string | undefined, page: HTMLElement): HTMLElement | null {
  if (pathname === undefined) return null;
  return page.querySelector<HTMLElement>(`a[href="${CSS.escape(pathname)}"]`);
}

/**
 * After a navigation the reader's place is the new page's heading, not a link that is gone; or
 * the section that the address names, which is then scrolled to as well. Back leads to the link
 * that was followed.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const previous = useRef({ pathname, key });
  const followed = useRef(new Set<string>());
  /** Where each history entry was left for, by its key. */
  const leftFor = useRef(new Map<string, string>());

  // Focus is the browser's, and may move only once the new page is in the document.
  useEffect(() => {
    const from = previous.current;
    const isNewPage = from.pathname !== pathname;
    previous.current = { pathname, key };
    if (type === NavigationType.Push) leftFor.current.set(from.key, pathname);
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
    const left = type === NavigationType.Pop ? leftFor.current.get(key) : undefined;
    // Focus needs the page laid out, which is the work of the frame that shows it. Not called off
    // when the address changes meanwhile: it is still the same page.
    afterPaint(() => {
      const link = linkTo(left, page);
      if (link === null) moveFocus(page.querySelector('h1') ?? page);
      else link.focus({ preventScroll: true });
    });
  }, [pathname, hash, key, type, main]);
}
