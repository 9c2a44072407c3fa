import { readStored, writeStored } from '../../api/storage.ts';

const KEY = 'scroll_before_reload';
/** Whatever the administrator does first ends the wait. */
const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

interface Remembered {
  address: string;
  top: number;
}

/**
 * The router scrolls once, when it starts. A page whose rows come later is too short by then: this
 * waits until it is tall enough.
 */
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
