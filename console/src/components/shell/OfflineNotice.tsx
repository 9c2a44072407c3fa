import { useSyncExternalStore } from 'react';
import { cx } from '../../ui/cx.ts';
import { TONE_CLASS } from '../../ui/tone.ts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** One line under the top edge, in the padding of the page: it comes and goes without a shift. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <output className="sticky top-14 z-10 block h-0 lg:top-0">
      <span
        className={cx(
          'flex h-6 items-center justify-center px-4 text-xs font-medium whitespace-nowrap',
          TONE_CLASS.amber,
        )}
      >
        You are offline. Changes cannot be saved.
        <span className="max-sm:sr-only">&nbsp;What you see may be out of date.</span>
      </span>
    </output>
  );
}
