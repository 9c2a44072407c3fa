import { type ComponentType, lazy, Suspense } from 'react';
import { useIsMeridian } from '../auth/use-is-meridian.ts';
import { useLater } from './use-later.ts';

/** A failure to load it leaves the page alone. */
const DataAgeLine = lazy<ComponentType<{ at: number }>>(async () => {
  const loaded = await import('./DataAgeLine.tsx').catch(() => null);
  return { default: loaded?.DataAgeLine ?? (() => null) };
});

/** How old the data is, where the server says when something changes: otherwise nothing is refreshed. */
export function DataAge({ at }: { at: number }) {
  const isLive = useIsMeridian();
  const isDue = useLater(isLive);
  if (!isLive) return null;
  return (
    // Its room is kept while it is empty, so that nothing moves when it comes.
    <div className="flex min-h-6 items-center gap-1.5 text-sm text-muted tabular-nums @4xl:justify-end">
      <Suspense>{isDue && at > 0 && <DataAgeLine at={at} />}</Suspense>
    </div>
  );
}
