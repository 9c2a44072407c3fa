import {
  type RefObject,
  startTransition,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router';

/** Everything that waits for the same frame, so that it is done together. */
const waiting = new Set<() => void>();

function run(): void {
  const due = [...waiting];
  waiting.clear();
  for (const task of due) task();
}

/** Calls back when the next frame has been painted. Returns how to call it off. */
export function afterPaint(task: () => void): () => void {
  // A task queued in a frame's last step runs when that frame has been handed over.
  if (waiting.size === 0) requestAnimationFrame(() => setTimeout(run));
  waiting.add(task);
  return () => waiting.delete(task);
}

/** For what is out of sight in the first frame: false until that frame has been painted. */
export function useAfterPaint(isPaintedAlready = false): boolean {
  const [isPainted, setPainted] = useState(isPaintedAlready);

  // Only the browser knows when it has painted. Nobody waits for it: a key or a click goes first.
  useEffect(() => {
    if (isPainted) return undefined;
    return afterPaint(() => startTransition(() => setPainted(true)));
  }, [isPainted]);

  return isPainted;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

/** The first reads and the first paint go first. */
const START_AFTER_MS = 1_000;

/** True a moment after it is wanted, for what a page can do without while it loads. */
export function useLater(isWanted: boolean): boolean {
  const [isDue, setIsDue] = useState(false);
  // Time passes outside of React.
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => setIsDue(true), START_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return isWanted && isDue;
}

/**
 * One at a time: whatever comes while it runs is ignored. The second click of a double click comes
 * before the button is drawn as busy, so the busy look alone does not keep it out.
 */
export function useRunOnce(): (work: () => Promise<unknown>) => Promise<void> {
  const isRunning = useRef(false);
  return async (work) => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  };
}

/**
 * On a screen that is there to be filled in, typing can begin at once. Only where nothing has the
 * focus yet: after a link the focus is on the heading of the page.
 */
export function useFirstField(fields: RefObject<HTMLElement | null>): void {
  // Focus is the browser's, and may move only once the fields are in the document.
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    fields.current?.querySelector('input')?.focus();
  }, [fields]);
}

type Place = HTMLElement | null | undefined;

/**
 * A row or card may leave its list with the button that was pressed in it, and the focus with it:
 * then this is the reader's place. To be called when the change is done.
 */
export function keepPlace(place: Place | (() => Place)): void {
  // The cache tells of new data in a task of its own; this one comes after it.
  setTimeout(() => {
    // On a heading it was put by the dialog that closed; this place is nearer.
    if (document.activeElement?.matches('body, h1, h2') !== true) return;
    (typeof place === 'function' ? place() : place)?.focus({ preventScroll: true });
  });
}

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

/** The title in the browser's tab: 'Users · Meridian'. */
export function usePageTitle(words: string): void {
  // The title belongs to the document, which React does not render.
  useEffect(() => {
    document.title = words === '' ? 'Meridian' : `${words} · Meridian`;
  }, [words]);
}
