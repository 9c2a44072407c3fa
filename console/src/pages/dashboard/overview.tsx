import {
  type Overview,
  OVERVIEW_COUNT_MAX,
  OVERVIEW_MESSAGES,
  overviewGet,
  type Visit,
} from '@meridian/contract/overview';
import { ANY_HOLD } from '@meridian/contract/posts';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { LoadError } from '@meridian/ui/failures.tsx';
import { formatDateTime, formatDuration, NOTHING } from '@meridian/ui/format.ts';
import { DueCard } from '../../components/DueCard.tsx';
import {
  conditionOf,
  CountLink,
  countWithCeiling,
  Figure,
  type FigureProps,
  OWNER_LABELS,
  postListAt,
} from '../../components/figures.tsx';
import { paths } from '../../paths.ts';
import { HandoverCard } from './HandoverCard.tsx';
import { useNow } from '@meridian/ui/DataAge.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';

const POLL_MS = 30_000;

/** What needs attention now, what is due, and what happened since the last visit. */
export function OverviewSection() {
  const query = useEndpointQuery(overviewGet, {}, { pollMs: POLL_MS });
  const { data, error } = query;
  return (
    <section aria-labelledby="now" className="mt-8 flex flex-col gap-4">
      <h2 id="now" className="text-xl font-semibold">
        Now
      </h2>
      <LoadError query={query} failed={OVERVIEW_MESSAGES.loadFailed} />
      {(data !== undefined || error === null) && (
        <>
          <OverviewFigures state={data} />
          <DueCharts state={data} />
        </>
      )}
      {/* Nothing stands below them, so that their first rows move nothing. */}
      {data !== undefined && (
        <div className="grid items-start gap-4 @3xl:grid-cols-2">
          <VisitCard visit={data.visit} />
          <HandoverCard handover={data.handover} />
        </div>
      )}
    </section>
  );
}

const countText = (count: number) => countWithCeiling(count, OVERVIEW_COUNT_MAX);
const sumOf = (parts: readonly { count: number }[]) =>
  parts.reduce((sum, { count }) => sum + count, 0);
const oldest = ({ oldestAt }: Overview['overdue'], none: string) =>
  oldestAt === null ? none : `Oldest due ${formatDateTime(new Date(oldestAt))}`;

function latenessText({ lateness }: Overview['engine']['lastMinute']): string {
  if (lateness === null) return 'Nothing measured';
  const { p95Ms } = lateness;
  return p95Ms === undefined ? 'p95 not reported' : `p95 ${formatDuration(p95Ms)}`;
}

function OverviewFigures({ state }: { state: Overview | undefined }) {
  const condition = state && conditionOf(state.engine);
  const lateness = state?.engine.lastMinute.lateness;
  const { overdue, stuck, held, failed } = state ?? {};
  const window = { failedFrom: failed?.from ?? '', failedTo: failed?.to ?? '' };
  const byOwner = failed?.byOwner.filter(({ count }) => count > 0);
  const figures: Omit<FigureProps, 'level'>[] = [
    {
      title: 'Overdue',
      to: postListAt({ overdue: 'true' }),
      below: overdue && oldest(overdue, 'Nothing is overdue'),
      children: overdue && countText(overdue.count),
    },
    {
      title: 'Stuck',
      to: postListAt({ stuck: 'true' }),
      below: stuck && oldest(stuck, 'No post is stuck'),
      children: stuck && countText(stuck.count),
    },
    {
      title: 'Lateness, last minute',
      to: paths.engine,
      below: state && latenessText(state.engine.lastMinute),
      children: state && (lateness ? formatDuration(lateness.p50Ms) : NOTHING),
    },
    {
      title: 'Held',
      to: postListAt({ hold: ANY_HOLD }),
      below: held && (held.length === 0 ? 'No post is held' : 'Published once the reason is gone'),
      children: held && countText(sumOf(held)),
      parts: (
        <Parts
          rows={held?.map((row) => [row.sentence, row.count, postListAt({ hold: row.hold })])}
        />
      ),
    },
    {
      title: 'Failed, last 24 hours',
      to: postListAt(window),
      below: byOwner && (byOwner.length === 0 ? 'No post failed' : 'By who can fix it'),
      children: byOwner && countText(sumOf(byOwner)),
      parts: (
        <>
          <Parts
            rows={byOwner?.map(({ owner, count }) => [
              OWNER_LABELS[owner].label,
              count,
              postListAt({ owner, ...window }),
            ])}
          />
          <CountLink to={paths.failures}>See the causes</CountLink>
        </>
      ),
    },
    { title: 'Engine', to: paths.engine, below: condition?.below, children: condition?.badge },
  ];
  return (
    <ul className="grid gap-4 @xl:grid-cols-2 @4xl:grid-cols-3">
      {figures.map((figure) => (
        <Figure key={figure.title} level={3} {...figure} />
      ))}
    </ul>
  );
}

type Part = [label: string, count: number, to: string | undefined];

/** What a number consists of, each with its list. */
function Parts({ rows }: { rows: readonly Part[] | undefined }) {
  return (
    <ul className="mt-2 flex flex-col gap-1 text-sm empty:hidden">
      {rows?.map(([label, count, to]) => (
        <li key={label} className="flex min-h-6 items-center justify-between gap-4">
          {label}
          <CountLink to={to} label={`${label}: ${countText(count)}`}>
            {countText(count)}
          </CountLink>
        </li>
      ))}
    </ul>
  );
}

const CHARTS = [
  { part: 'nextHour', title: 'Due in the next hour', unit: 'minute', stepMinutes: 1, length: 60 },
  {
    part: 'nextDay',
    title: 'Due in the next 24 hours',
    unit: 'quarter of an hour',
    stepMinutes: 15,
    length: 96,
  },
] as const;

const pendingAt = (from: Date, to: Date) =>
  postListAt({ status: 'PENDING', from: from.toISOString(), to: to.toISOString(), order: 'asc' });

/** The next hour by minute and the next day by quarter hours; every bar opens its list. */
function DueCharts({ state }: { state: Overview | undefined }) {
  const now = useNow();
  return (
    <div className="grid gap-4 @3xl:grid-cols-2">
      {CHARTS.map(({ part, ...chart }) => {
        const due = state?.[part];
        const start = due ? new Date(due.from) : now;
        return (
          <DueCard
            key={part}
            level={3}
            {...chart}
            from={start}
            due={due?.slots}
            countedTo={due?.countedTo}
            to={due && pendingAt(start, new Date(due.countedTo ?? due.to))}
            linkOf={(from, to) => pendingAt(from < start ? start : from, to)}
          />
        );
      })}
    </div>
  );
}

const SETTINGS: Readonly<Record<string, string>> = {
  is_closed_beta: 'Closed beta',
  is_service_suspended: 'Service suspension',
  expected_end_at: 'Expected end',
  notice_for_people: 'Notice for users',
};

/** Never three: the fourth would stand alone. */
const TWO_BY_TWO = 'max(6.75rem, 34%)';

/** 'Closed beta on' */
function changeText([name, value]: [string, unknown]): string {
  const state = typeof value === 'boolean' ? (value ? 'on' : 'off') : 'changed';
  return `${SETTINGS[name] ?? name} ${state}`;
}

/** What happened since the administrator was here last. */
function VisitCard({ visit }: { visit: Visit | null }) {
  const { since = '', to = '', settings = [] } = visit ?? {};
  const counts: [string, number | undefined, string | undefined][] = [
    // The newest come first in it.
    ['New people', visit?.people, paths.users],
    ['Published', visit?.published, postListAt({ status: 'COMPLETED', from: since, to })],
    ['Failed', visit?.failed, postListAt({ failedFrom: since, failedTo: to })],
    ['Tickets redeemed', visit?.redeemed, paths.tickets],
  ];
  return (
    <Card aria-labelledby="visit">
      <CardHeader
        level={3}
        title="Since your last visit"
        titleId="visit"
        description={visit === null ? 'This is your first visit.' : <Time value={since} />}
      />
      {visit !== null && (
        <CardBody>
          <DescriptionList minColumn={TWO_BY_TWO}>
            {counts.map(([label, count = 0, list]) => {
              const number = countWithCeiling(count, OVERVIEW_COUNT_MAX);
              return (
                <DescriptionItem key={label} label={label}>
                  <CountLink to={list} label={`${label}: ${number}`}>
                    {number}
                  </CountLink>
                </DescriptionItem>
              );
            })}
            <DescriptionItem label="Settings changed" wide>
              {settings.length === 0 && 'No'}
              {settings.map(({ at, by, changes }) => (
                <p key={at}>
                  <CountLink to={paths.settings}>
                    {Object.entries(changes).map(changeText).join(', ')}
                  </CountLink>{' '}
                  by <SafeText>{by}</SafeText>, <Time value={at} />
                </p>
              ))}
            </DescriptionItem>
          </DescriptionList>
        </CardBody>
      )}
    </Card>
  );
}
