import { useId } from 'react';
import { BarChart, peakOf } from '@meridian/ui/BarChart.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { formatNumber, LOCALE } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { CountLink, postsText } from './figures.tsx';

const timeOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });

interface DueCardProps extends DueSpan {
  title: string;
  due: Due | undefined;
  unit: string;
  to: string | undefined;
  /** The list of one slot; without it the bars are only looked at. */
  linkOf?: ((from: Date, to: Date) => string | undefined) | undefined;
  /** Posts after this time are not counted. */
  countedTo?: string | null | undefined;
  level?: 2 | 3 | undefined;
}

export function DueCard({ title, due, unit, to, linkOf, countedTo, level, ...span }: DueCardProps) {
  const titleId = useId();
  const slots = dueSlots(due ?? [], span);
  const bars = slots.map(({ at, to: end, count }) => {
    const label = timeOfDay.format(at);
    return { key: `${at.getTime()}`, label, value: count, link: linkOf?.(at, end) };
  });
  const peak = peakOf(bars);
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        {...{ title, titleId, level }}
        description={
          due === undefined ? (
            <Skeleton width="14rem" />
          ) : (
            <>
              <CountLink to={to}>{postsText(total)}</CountLink>
              {peak && `, most at ${peak.label} (${formatNumber(peak.value)})`}
              {countedTo && `. Only until ${timeOfDay.format(new Date(countedTo))}: there are more`}
            </>
          )
        }
      />
      <CardBody>
        <BarChart
          label={title}
          className="h-24"
          bars={bars}
          describe={({ label, value }) => `${label}: ${postsText(value)}`}
          renderLink={linkOf && (({ link }, props) => link && <AppLink to={link} {...props} />)}
        />
        <div aria-hidden="true" className="@container mt-1 text-xs text-muted tabular-nums">
          <div className="flex justify-between">
            {[0, 0.25, 0.5, 0.75, 1].map((share) => (
              // A narrow chart has room for three.
              <span key={share} className={share % 0.5 === 0 ? '' : 'hidden @sm:inline'}>
                {timeOfDay.format(timeAt(slots, share))}
              </span>
            ))}
          </div>
        </div>
        {/* A table cannot be clipped itself: its rows would lengthen the page. */}
        <div className="sr-only">
          <table>
            <caption>Posts due by {unit}</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Posts</th>
              </tr>
            </thead>
            <tbody>
              {bars
                .filter(({ value }) => value > 0)
                .map(({ key, label, value }) => (
                  <tr key={key}>
                    <th scope="row">{label}</th>
                    <td>{formatNumber(value)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </CardBody>
    </Card>
  );
}

const MINUTE_MS = 60_000;

type Due = readonly { at: string; count: number }[];
type DueSpan = { from: Date; stepMinutes: number; length: number };

/** Each slot of the span, those without posts included. */
export function dueSlots(due: Due, { from, stepMinutes, length }: DueSpan) {
  const stepMs = stepMinutes * MINUTE_MS;
  const counts = new Map(due.map(({ at, count }) => [Date.parse(at), count]));
  const first = Math.floor(from.getTime() / stepMs) * stepMs;
  return Array.from({ length }, (_, index) => {
    const at = first + index * stepMs;
    return { at: new Date(at), to: new Date(at + stepMs), count: counts.get(at) ?? 0 };
  });
}

export function timeAt(slots: readonly { at: Date; to: Date }[], share: number): Date {
  const [first, last] = [slots[0]?.at.getTime() ?? 0, slots.at(-1)?.to.getTime() ?? 0];
  return new Date(first + share * (last - first));
}
