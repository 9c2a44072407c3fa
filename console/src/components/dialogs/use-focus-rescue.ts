import { useEffect } from 'react';

/** Long enough for the dialog to be gone and to have handed the focus back. */
const CLOSED_AFTER_MS = 250;

/**
 * What opened a dialog may be gone or disabled once it has done its work, and the focus with it.
 * The heading of the page is then the nearest place to go on from.
 */
export function useFocusRescue(isOpen: boolean): void {
  // Focus is the browser's, and where it went shows only afterwards.
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => {
      if (document.activeElement !== document.body) return;
      const heading = document.querySelector<HTMLElement>('main h1');
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
    }, CLOSED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
}
