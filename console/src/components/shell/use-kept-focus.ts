import { type RefObject, useEffect } from 'react';
import { afterPaint } from '../../ui/after-paint.ts';
import { moveFocus } from './use-page-focus.ts';

const STOPS = 'a[href], button, input, select, textarea, summary';

const isStop = (element: HTMLElement) =>
  element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility();

/** The first control of the closest box that is still there, else the heading of its card or page. */
function nearest(path: readonly Element[], page: HTMLElement | null): HTMLElement | null {
  for (const box of path) {
    if (!box.isConnected || box.contains(page)) continue;
    const stop = [...box.querySelectorAll<HTMLElement>(STOPS)].find(isStop);
    const heading = box.matches('section') ? box.querySelector<HTMLElement>('h2, h3') : null;
    const target = stop ?? heading;
    if (target !== null) return target;
  }
  return page?.querySelector('h1') ?? null;
}

/**
 * A control that has the focus may go away when its work is done: Retry, Save, a chip that removes a
 * filter. The focus then goes to what is next to it, not to the body, from where Tab starts anew.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  // Focus is the browser's, and only the document tells that the element which had it is gone.
  useEffect(() => {
    /** The element that had the focus last, and those around it. */
    let path: Element[] = [];
    const isLost = () =>
      document.activeElement === document.body && path[0] !== undefined && !path[0].isConnected;

    function remember({ target }: FocusEvent) {
      path = [];
      for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement) {
        path.push(at);
      }
    }
    function rescue() {
      if (!isLost()) return;
      const target = nearest(path, main.current);
      if (target !== null) moveFocus(target);
    }
    // What hands the focus on by itself, such as a dialog, has done so by the next frame.
    const observer = new MutationObserver(() => {
      if (isLost()) afterPaint(rescue);
    });
    observer.observe(document.body, { subtree: true, childList: true });
    const listening = new AbortController();
    document.addEventListener('focusin', remember, listening);
    // A click beside every control takes the focus away on purpose.
    document.addEventListener('pointerdown', () => (path = []), listening);
    return () => {
      observer.disconnect();
      listening.abort();
    };
  }, [main]);
}
