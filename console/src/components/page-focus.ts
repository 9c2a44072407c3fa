import { type RefObject, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { readStored, writeStored } from '@meridian/ui/api/browser.ts';
import { afterPaint } from '@meridian/ui/hooks.ts';

function moveFocus(target: HTMLElement): void {
  // A control keeps its place in the order of Tab.
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex'))
    target.setAttribute('tabindex', '-1');
  target.focus({ preventScroll: true });
}

/** The link by which this page was left, to which Back returns. */
function linkTo(pathname: string | undefined, page: HTMLElement): HTMLElement | null {
  if (pathname === undefined) return null;
  return page.querySelector<HTMLElement>(`a[href="${CSS.escape(pathname)}"]`);
}

/** A navigation moves the focus to the heading, or the section in the address; Back to the link. */
export function usePageFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, hash, key } = useLocation();
  const type = useNavigationType();
  const previous = useRef({ pathname, key });
  const followed = useRef(new Set<string>());
  const leftFor = useRef(new Map<string, string>());

  useEffect(() => {
    const from = previous.current;
    const isNewPage = from.pathname !== pathname;
    previous.current = { pathname, key };
    if (type === NavigationType.Push) leftFor.current.set(from.key, pathname);
    const section = hash === '' ? null : document.getElementById(hash.slice(1));
    if (section !== null) {
      // The router has tried before, but at the start of a visit the page was not there yet. Back to
      // an entry, the section is where it was left.
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

const STOPS = 'a[href], button, input, select, textarea, summary';

const isStop = (element: HTMLElement) =>
  element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility();

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

/** Moves the focus from a control that goes away, such as Retry, to the one next to it. */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
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
    // A dialog that hands the focus on by itself has done so by the next frame.
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

const KEY = 'scroll_before_reload';
const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

interface Remembered {
  address: string;
  top: number;
}

/** The router scrolls once, when it starts; this waits until the page is tall enough. */
export function restoreScrollAfterReload(): void {
  const remembered = recall();
  window.addEventListener('pagehide', () => {
    const now: Remembered = { address: window.location.href, top: window.scrollY };
    writeStored(KEY, JSON.stringify(now), 'sessionStorage');
  });
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload =
    navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  if (isReload && remembered?.address === window.location.href) scrollWhenTallEnough(remembered);
}

function scrollWhenTallEnough({ address, top }: Remembered): void {
  const ended = new AbortController();
  const observer = new ResizeObserver(() => {
    if (window.location.href !== address) return ended.abort();
    if (document.documentElement.scrollHeight - window.innerHeight < top) return;
    window.scrollTo(0, top);
    ended.abort();
  });
  const { signal } = ended;
  signal.addEventListener('abort', () => observer.disconnect());
  for (const type of INPUTS) {
    window.addEventListener(type, () => ended.abort(), { signal, passive: true });
  }
  observer.observe(document.body);
}

function recall(): Remembered | null {
  const text = readStored(KEY, 'sessionStorage') ?? null;
  // Written by this module alone, in this tab.
  return text === null ? null : (JSON.parse(text) as Remembered);
}
