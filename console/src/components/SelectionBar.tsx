import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { showToast } from '@meridian/ui/toasts.ts';
import type { BulkBarProps } from './BulkDialog.tsx';

const FAILED =
  'The actions could not be loaded. Meridian may have been updated since you opened it, or the connection was lost. Reload the page to use them.';

// Nothing of it is loaded before a row is selected, and a failure to load it leaves the list alone.
const BulkBar = lazy<ComponentType<BulkBarProps>>(async () => {
  const loaded = await import('./BulkDialog.tsx').catch(() => null);
  if (loaded === null) showToast({ message: FAILED, tone: 'red', durationMs: Infinity });
  return { default: loaded?.BulkBar ?? (() => null) };
});

/** The height of the bar on a phone, where it has three lines. */
const BAR_ROOM = '8rem';

export function SelectionBar(props: BulkBarProps) {
  const { isAll, ids } = props.selection;
  const isShown = isAll || ids.size > 0;

  // Nothing that takes the focus may be scrolled to behind the bar.
  useEffect(() => {
    if (!isShown) return undefined;
    const { style } = document.documentElement;
    style.scrollPaddingBottom = BAR_ROOM;
    return () => {
      style.scrollPaddingBottom = '';
    };
  }, [isShown]);

  if (!isShown) return null;
  return (
    <>
      <div aria-hidden="true" className="h-16 sm:hidden" />
      <Suspense>
        <BulkBar {...props} />
      </Suspense>
    </>
  );
}
