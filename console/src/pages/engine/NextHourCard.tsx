import type { EngineState } from '@meridian/contract/engine';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { postsText } from '../../components/engine/count-words.ts';
import { useNow } from '../../components/use-now.ts';
import { paths, withSearch } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { cx } from '../../ui/cx.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { LOCALE } from '../../ui/locale.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { type Minute, minutesOf, peakOf } from './next-hour.ts';

const timeOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const PENDING_POSTS = withSearch(paths.posts, { status: 'PENDING', order: 'asc' });

interface NextHourCardProps {
  minutes: EngineState['nextHour'] | undefined;
}

/** What is due in the next hour, minute by minute, and when it is busiest. */
export function NextHourCard({ minutes: due }: NextHourCardProps) {
  const now = useNow();
  const minutes = minutesOf(due ?? [], now);
  const total = minutes.reduce((sum, { count }) => sum + count, 0);
  const peak = peakOf(minutes);
  return (
    <Card aria-labelledby="next-hour">
      <CardHeader
        title="Due in the next hour"
        titleId="next-hour"
        description={
          due === undefined ? (
            <Skeleton width="14rem" />
          ) : (
            <>
              <AppLink to={PENDING_POSTS} className="rounded-sm text-accent-text underline">
                {postsText(total)}
              </AppLink>
              {peak !== undefined &&
                `, most at ${timeOfDay.format(peak.at)}: ${formatNumber(peak.count)}`}
            </>
          )
        }
      />
      <CardBody>
        <Bars minutes={minutes} peak={peak} />
        <div
          aria-hidden="true"
          className="mt-1 flex justify-between text-xs text-muted tabular-nums"
        >
          {[0, 15, 30, 45, 60].map((index) => (
            <span key={index}>{minutes[index] && timeOfDay.format(minutes[index].at)}</span>
          ))}
        </div>
      </CardBody>
    </Card>
  );
}

function Bars({ minutes, peak }: { minutes: readonly Minute[]; peak: Minute | undefined }) {
  return (
    <>
      <div
        aria-hidden="true"
        className="flex h-24 items-end gap-px border-b border-border-strong sm:gap-0.5"
      >
        {minutes.map(({ at, count }) => (
          <span
            key={at.getTime()}
            title={`${timeOfDay.format(at)}: ${formatNumber(count)}`}
            // Few posts beside many are still seen.
            style={{ height: count === 0 ? 0 : `max(2px, ${(count / (peak?.count ?? 1)) * 100}%)` }}
            className={cx(
              'color-mark min-w-0 flex-1 rounded-t-[2px]',
              at === peak?.at ? 'bg-accent' : 'bg-blue-mark/60',
            )}
          />
        ))}
      </div>
      <table className="sr-only">
        <caption>Posts due by minute</caption>
        <thead>
          <tr>
            <th scope="col">Minute</th>
            <th scope="col">Posts</th>
          </tr>
        </thead>
        <tbody>
          {minutes
            .filter(({ count }) => count > 0)
            .map(({ at, count }) => (
              <tr key={at.getTime()}>
                <th scope="row">{timeOfDay.format(at)}</th>
                <td>{formatNumber(count)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
