import type { Delivery } from '@meridian/contract/engine';
import { cx } from '../../ui/cx.ts';
import { formatDuration } from '../../ui/format-duration.ts';
import { Time } from '../../ui/Time.tsx';
import { TimeStopContext } from '../../ui/time-stop.ts';

const STEPS = [
  ['Planned', 'plannedAt'],
  ['Claimed', 'claimedAt'],
  ['Sent', 'sentAt'],
  ['Confirmed', 'confirmedAt'],
] as const satisfies readonly [string, keyof Delivery][];

/** '12 ms after', '1 s before': how far a step is from the planned time. */
function distance(at: string, plannedAt: string): string {
  const ms = Date.parse(at) - Date.parse(plannedAt);
  return `${formatDuration(ms)} ${ms < 0 ? 'before' : 'after'}`;
}

/** What stands for the time of a step. A post published by other means has no journal. */
function missingTime({ confirmedAt, nextLookAt, hold }: Delivery): string {
  if (confirmedAt !== null) return 'Not recorded';
  return nextLookAt === null && hold === null ? 'No' : 'Not yet';
}

/** The four steps of a delivery in one line, in two, or from top to bottom, as there is room. */
export function DeliveryTimeline({ delivery }: { delivery: Delivery }) {
  const { plannedAt, latenessMs } = delivery;
  return (
    <div className="@container">
      <ol
        aria-label="Steps"
        className="grid gap-x-4 gap-y-3 @sm:grid-cols-2 @[44.5rem]:grid-cols-4"
      >
        {STEPS.map(([label, field]) => {
          const at = delivery[field];
          return (
            <li key={field} className="min-w-0">
              <div className="flex items-center gap-2">
                <span
                  aria-hidden="true"
                  className={cx(
                    'color-mark size-2 shrink-0 rounded-full border',
                    at === null ? 'border-border-control' : 'border-transparent bg-green-mark',
                  )}
                />
                <span className={cx('text-sm font-medium', at === null && 'text-muted')}>
                  {label}
                </span>
                <span aria-hidden="true" className="h-px flex-1 bg-border @max-sm:hidden" />
              </div>
              <div className="mt-1 ps-4 text-sm text-muted">
                <TimeStopContext value={true}>
                  {at === null ? (
                    missingTime(delivery)
                  ) : (
                    <Time value={at} className="text-text whitespace-normal!" />
                  )}
                </TimeStopContext>
                {at !== null && field !== 'plannedAt' && (
                  <span className="block text-xs tabular-nums">{distance(at, plannedAt)}</span>
                )}
                {field === 'plannedAt' && latenessMs !== null && (
                  <span className="block text-xs tabular-nums">
                    {latenessMs < 1 ? 'Sent on time' : `Sent ${formatDuration(latenessMs)} late`}
                  </span>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
