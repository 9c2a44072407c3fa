import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { togglePaused, usePaused } from './api/query.ts';
import { useIsMeridian } from './api/session.ts';
import { ageText, formatDateTime, TIME_ZONE } from './format.ts';
import { useLater } from './hooks.ts';

/** The age of the numbers, which is unknown until they are read, and the zone of all times. */
export function Clock({ at }: { at: Date | undefined }) {
  // Until they are read, the time at which one came keeps the room: nothing moves when they come.
  const [openedAt] = useState(() => new Date());
  const time = at ?? openedAt;
  return (
    <div className="text-end @max-xl:text-start">
      <p className={at === undefined ? 'invisible text-sm' : 'text-sm text-muted'}>
        As of{' '}
        <time dateTime={time.toISOString()} className="tabular-nums">
          {formatDateTime(time)}
        </time>{' '}
        · {TIME_ZONE}
      </p>
      <DataAge at={at?.getTime() ?? 0} />
    </div>
  );
}

/** The age of the data, where the server says when something changes: otherwise nothing is refreshed. */
export function DataAge({ at }: { at: number }) {
  const isLive = useIsMeridian();
  const isDue = useLater(isLive);
  if (!isLive) return null;
  return (
    // Its room is kept while it is empty, so that nothing moves when it comes.
    <div className="flex min-h-6 items-center gap-1.5 text-sm text-muted tabular-nums @4xl:justify-end">
      {isDue && at > 0 && <DataAgeLine at={at} />}
    </div>
  );
}

function DataAgeLine({ at }: { at: number }) {
  const isPaused = usePaused();
  const now = useNow(1_000).getTime();

  const Icon = isPaused ? Play : Pause;
  const label = isPaused ? 'Resume updates' : 'Pause updates';
  return (
    <>
      <p>
        {isPaused
          ? `Paused, as of ${formatDateTime(new Date(at))}`
          : `Updated ${ageText(Math.max(0, now - at))}`}
      </p>
      {/* No tooltip of ours: an open one holds the updates back. */}
      <button
        type="button"
        title={label}
        aria-label={label}
        data-print="hide"
        onClick={togglePaused}
        className="relative inline-flex size-6 items-center justify-center rounded-sm transition-colors hover:bg-sunken hover:text-text coarse:after:absolute coarse:after:-inset-2"
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </button>
    </>
  );
}

export function useNow(tickMs = 10_000): Date {
  const [now, setNow] = useState(() => new Date());
  const isPaused = usePaused();

  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, [isPaused, tickMs]);

  return now;
}
