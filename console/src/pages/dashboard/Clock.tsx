import { formatDateTime } from '../../ui/format-time.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface ClockProps {
  /** When the numbers were read; undefined until they are. */
  at: Date | undefined;
}

/** How old the numbers are, and the zone that all times on the console are told in. */
export function Clock({ at }: ClockProps) {
  return (
    <p className="text-sm text-muted tabular-nums">
      {at === undefined ? (
        <Skeleton width="14rem" />
      ) : (
        <>
          As of <time dateTime={at.toISOString()}>{formatDateTime(at)}</time> · {ZONE}
        </>
      )}
    </p>
  );
}
