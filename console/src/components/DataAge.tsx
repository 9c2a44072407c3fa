import { EVENTS_FEATURE } from '@meridian/contract/events';
import { useEffect, useState } from 'react';
import { useAnnounced } from '../auth/use-announced.ts';
import { ageText } from '../ui/age-text.ts';

const TICK_MS = 1_000;

/** 'Updated 12 s ago', where the server says when something changes: otherwise nothing is refreshed. */
export function DataAge({ at }: { at: number }) {
  const isLive = useAnnounced(EVENTS_FEATURE);
  const [now, setNow] = useState(Date.now);

  // Time passes outside of React.
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isLive]);

  if (!isLive) return null;
  return (
    // Its room is kept while it is empty, so that nothing moves when it comes.
    <p className="min-h-[1.5em] text-sm text-muted tabular-nums">
      {at > 0 && `Updated ${ageText(Math.max(0, now - at))}`}
    </p>
  );
}
