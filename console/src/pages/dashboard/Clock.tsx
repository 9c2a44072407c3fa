import { useEffect, useState } from 'react';
import { formatDateTime } from '../../ui/format-time.ts';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** Late by this much at most. */
const TICK_MS = 10_000;

/** The moment and the zone that all times on the console are told in. */
export function Clock() {
  const [now, setNow] = useState(() => new Date());

  // Time passes outside of React.
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <p className="text-sm text-muted tabular-nums">
      <time dateTime={now.toISOString()}>{formatDateTime(now)}</time> · {ZONE}
    </p>
  );
}
