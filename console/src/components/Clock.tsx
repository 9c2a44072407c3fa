import { useState } from 'react';
import { formatDateTime } from '../ui/format-time.ts';
import { DataAge } from './DataAge.tsx';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface ClockProps {
  /** When the numbers were read; undefined until they are. */
  at: Date | undefined;
}

/** How old the numbers are, and the zone that all times on the console are told in. */
export function Clock({ at }: ClockProps) {
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
        · {ZONE}
      </p>
      <DataAge at={at?.getTime() ?? 0} />
    </div>
  );
}
