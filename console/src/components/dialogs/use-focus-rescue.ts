import { useLayoutEffect } from 'react';

/** What opened a dialog, and the heading of the card it is in. */
export interface Opener {
  element: Element | null;
  heading: HTMLElement | null;
}

export function currentOpener(): Opener {
  const element = document.activeElement;
  return { element, heading: element?.closest('section')?.querySelector('h2') ?? null };
}

/** The heading of its card, or of the page where that is gone too. */
function focusNear({ heading }: Opener) {
  const target =
    heading?.isConnected === true ? heading : document.querySelector<HTMLElement>('main h1');
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}

/**
 * What opened a dialog may be gone or disabled once the dialog has done its work, or a moment
 * later when the page is drawn anew: the focus then moves on before it falls to the body.
 */
export function useFocusRescue(isOpen: boolean, opener: Opener | undefined): void {
  // Focus is the browser's, and only the document tells what became of the element that had it.
  useLayoutEffect(() => {
    if (isOpen || opener === undefined) return undefined;
    const rescue = () => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.matches(':disabled') === true) {
        focusNear(opener);
      }
      if (document.activeElement !== opener.element) observer.disconnect();
    };
    const observer = new MutationObserver(rescue);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['disabled'],
    });
    rescue();
    return () => observer.disconnect();
  }, [isOpen, opener]);
}
