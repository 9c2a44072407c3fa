import { useNow } from '../../components/use-now.ts';
import { formatDateTime } from '../../ui/format-time.ts';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The moment and the zone that all times on the console are told in. */
export function Clock() {
  const now = useNow();
  return (
    <p className="text-sm text-muted tabular-nums">
      <time dateTime={now.toISOString()}>{formatDateTime(now)}</time> · {ZONE}
    </p>
  );
}
