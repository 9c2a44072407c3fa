import { type RefObject, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** The section that /settings#currencies means. */
export const CURRENCIES_ANCHOR = 'currencies';

/**
 * Leads to the section that the address names, once everything above it has its final height. The
 * router's own attempt comes too early: before a page has its data, and even before the sign-in.
 */
export function useAnchor(id: string, section: RefObject<HTMLElement | null>, isReady: boolean) {
  const { hash, key } = useLocation();
  const type = useNavigationType();
  // Going back restores the place one had scrolled to. The first page is a POP as well.
  const isReturn = type === NavigationType.Pop && key !== 'default';

  const followed = useRef('');

  // Scroll position and focus are the browser's; they move once per navigation.
  useEffect(() => {
    if (!isReady || isReturn || hash !== `#${id}` || followed.current === key) return;
    followed.current = key;
    section.current?.scrollIntoView();
    section.current?.focus({ preventScroll: true });
  }, [id, section, isReady, isReturn, hash, key]);
}
