import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';

/** The section that /settings#currencies means. */
export const CURRENCIES_ANCHOR = 'currencies';

/** The history entries whose anchor was followed: going back restores the place one had instead. */
const followed = new Set<string>();

/**
 * Leads to the section that the address names once the page has its data. The shell does so when
 * the page opens, but then the page is still too short to be scrolled that far.
 */
export function useAnchor(id: string, section: RefObject<HTMLElement | null>, isReady: boolean) {
  const { hash, key } = useLocation();

  // The scroll position is the browser's.
  useEffect(() => {
    if (!isReady || hash !== `#${id}` || followed.has(key)) return;
    followed.add(key);
    section.current?.scrollIntoView();
  }, [id, section, isReady, hash, key]);
}
