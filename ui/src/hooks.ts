import {
  type RefObject,
  startTransition,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router';

const waiting = new Set<() => void>();

function run(): void {
  const due = [...waiting];
  waiting.clear();
  for (const task of due) task();
}

/** Calls back when the next frame has been painted; the returned function calls it off. */
export function afterPaint(task: () => void): () => void {
  // A task queued in a frame's last step runs when that frame has been handed over.
  if (waiting.size === 0) requestAnimationFrame(() => setTimeout(run));
  waiting.add(task);
  return () => waiting.delete(task);
}

/** For what is out of sight in the first frame: false until that frame has been painted. */
export function useAfterPaint(isPaintedAlready = false): boolean {
  const [isPainted, setPainted] = useState(isPaintedAlready);

  // In a transition, so that a key or a click goes first.
  useEffect(
    () => (isPainted ? undefined : afterPaint(() => startTransition(() => setPainted(true)))),
    [isPainted],
  );

  return isPainted;
}

export function createStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (next: Value) => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribeOnline, () => navigator.onLine);
}

const START_AFTER_MS = 1_000;

/** True a moment after it is wanted, for what a page can do without while it loads. */
export function useLater(isWanted: boolean): boolean {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => setIsDue(true), START_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return isWanted && isDue;
}

/** One at a time: the second click of a double click comes before the button is drawn as busy. */
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

/** Focuses the first field of a screen, unless the heading has the focus, as after a link. */
export function useFirstField(fields: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    fields.current?.querySelector('input')?.focus();
  }, [fields]);
}

type Place = HTMLElement | null | undefined;

/**
 * Moves the focus to this place when a row or card has left its list with the button that was
 * pressed in it. To be called when the change is done.
 */
export function keepPlace(place: Place | (() => Place)): void {
  // The cache tells of new data in a task of its own; this one comes after it.
  setTimeout(() => {
    // On a heading it was put by the dialog that closed; this place is nearer.
    if (document.activeElement?.matches('body, h1, h2') !== true) return;
    (typeof place === 'function' ? place() : place)?.focus({ preventScroll: true });
  });
}

export const CURRENCIES_ANCHOR = 'currencies';

const followed = new Set<string>();

/**
 * Leads to the section that the address names once the page has its data. The shell does so when
 * the page opens, but then the page is still too short to be scrolled that far. Going back to a
 * history entry that was led there restores the scroll position instead.
 */
export function useAnchor(id: string, section: RefObject<HTMLElement | null>, isReady: boolean) {
  const { hash, key } = useLocation();

  useEffect(() => {
    if (!isReady || hash !== `#${id}` || followed.has(key)) return;
    followed.add(key);
    section.current?.scrollIntoView();
  }, [id, section, isReady, hash, key]);
}

export function usePageTitle(words: string): void {
  useEffect(() => {
    document.title = words === '' ? 'Meridian' : `${words} · Meridian`;
  }, [words]);
}
