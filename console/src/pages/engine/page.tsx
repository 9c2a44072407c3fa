import { useId } from 'react';
import {
  ENGINE_COUNT_MAX,
  ENGINE_MESSAGES,
  engineGet,
  type EngineHost,
  type EngineState,
  type EngineWorker,
} from '@meridian/contract/engine';
import { Badge, type Tone } from '@meridian/ui/Badge.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { Clock, useNow } from '@meridian/ui/DataAge.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Table } from '@meridian/ui/Table.tsx';
import { Time, TIME_COLUMN_WIDTH } from '@meridian/ui/Time.tsx';
import { prefetch } from '@meridian/ui/api/query.ts';
import { expectMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { LoadError } from '@meridian/ui/failures.tsx';
import { formatDateTime, formatDuration, formatNumber, NOTHING } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { type Column, DataTableHead, WholeBody } from '@meridian/ui/list/DataTable.tsx';
import { EmptyState, LoadingNote } from '@meridian/ui/placeholders.tsx';
import { DueCard } from '../../components/DueCard.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import {
  clockSentence,
  conditionOf,
  countWithCeiling,
  Figure,
  useEngine,
} from '../../components/figures.tsx';
import { paths, withSearch } from '../../paths.ts';

export function loader(): void {
  if (expectMeridian() === true) prefetch(engineGet);
}

export function Component() {
  const isOffered = useIsMeridian();
  const query = useEngine();
  const { data, dataUpdatedAt, error } = query;
  const now = useNow();
  if (!isOffered) return <NotFoundPage />;
  return (
    <>
      <PageTitle
        title="Engine"
        context="What publishes the scheduled posts"
        actions={error === null && <Clock at={data && new Date(dataUpdatedAt)} />}
      />
      <LoadError className="mb-4" query={query} failed={ENGINE_MESSAGES.loadFailed} />
      {data === undefined && error === null && <LoadingNote />}
      {(data !== undefined || error === null) && (
        <div className="flex flex-col gap-4" aria-busy={data === undefined}>
          <EngineFigures state={data} />
          <DueCard
            title="Due in the next hour"
            due={data?.nextHour}
            unit="minute"
            // No list shows exactly these, as retries are among them.
            to={PENDING_POSTS}
            from={now}
            stepMinutes={1}
            // The hour begins within a minute and ends within another.
            length={61}
          />
          {/* Nothing stands below the tables, so that their first rows move nothing. */}
          {data !== undefined && (
            <>
              <EngineTable
                title="Held posts"
                description="They wait until the reason is gone. What is too late by then fails."
                empty="No post is held."
                columns={HELD_COLUMNS}
                rows={data.held}
                rowKey={({ hold }) => hold}
              />
              <EngineTable
                title="Workers"
                empty="No worker has ever reported. Start one with npm start or npm run engine."
                columns={WORKER_COLUMNS}
                rows={data.workers}
                rowKey={({ id }) => id}
                cellsPerLine={3}
              />
              <EngineTable
                title="Hosts"
                empty="No host has been called yet."
                columns={HOST_COLUMNS}
                rows={data.hosts}
                rowKey={({ host }) => host}
                cellsPerLine={3}
              />
            </>
          )}
        </div>
      )}
    </>
  );
}

function EngineFigures({ state }: { state: EngineState | undefined }) {
  const { lastMinute, waiting } = state ?? {};
  const lateness = lastMinute?.lateness;
  const condition = state && conditionOf(state);
  return (
    <div className="grid gap-4 @xl:grid-cols-2 @4xl:grid-cols-4">
      <Figure title="State" below={condition?.below}>
        {condition?.badge}
      </Figure>
      <Figure
        title="Published, last minute"
        to={PUBLISHED_POSTS}
        below={lastMinute && perSecond(lastMinute.published)}
      >
        {lastMinute && formatNumber(lastMinute.published)}
      </Figure>
      <Figure
        title="Lateness, last minute"
        below={state && (lateness ? `p99 ${formatDuration(lateness.p99Ms)}` : 'Nothing measured')}
      >
        {state && (lateness ? formatDuration(lateness.p50Ms) : NOTHING)}
      </Figure>
      <Figure title="Waiting" to={PENDING_POSTS} below={waiting && waitingText(waiting)}>
        {waiting && countWithCeiling(waiting.count)}
      </Figure>
    </div>
  );
}

/** Overdue posts come first in the list. */
const PENDING_POSTS = withSearch(paths.posts, { status: 'PENDING', order: 'asc' });
const PUBLISHED_POSTS = withSearch(paths.posts, { status: 'COMPLETED' });

const perSecond = (perMinute: number) =>
  `${formatNumber(Math.round(perMinute / 6) / 10)} per second`;

function waitingText({ oldestAt, tooLate }: EngineState['waiting']): string {
  if (oldestAt === null) return 'Nothing is overdue';
  return tooLate === 0
    ? `Oldest due ${formatDateTime(new Date(oldestAt))}`
    : `${countWithCeiling(tooLate)} past the late limit`;
}

interface EngineTableProps<Row> {
  title: string;
  description?: string;
  empty: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The cells on one line where the columns do not fit side by side. */
  cellsPerLine?: number;
}

/** One of the engine's lists, which come whole with its state. */
function EngineTable<Row>(props: EngineTableProps<Row>) {
  const { title, description, empty, cellsPerLine, ...body } = props;
  const titleId = useId();
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader title={title} titleId={titleId} description={description} />
      {body.rows.length === 0 ? (
        <EmptyState className="pt-4 pb-8">{empty}</EmptyState>
      ) : (
        <Table label={title} cellsPerLine={cellsPerLine}>
          <DataTableHead columns={body.columns} />
          <WholeBody {...body} />
        </Table>
      )}
    </Card>
  );
}

const HELD_COLUMNS: readonly Column<EngineState['held'][number]>[] = [
  {
    header: 'Reason',
    cell: ({ hold, sentence }) => (
      <AppLink to={withSearch(paths.posts, { hold })} className="rounded-sm underline">
        {sentence}
      </AppLink>
    ),
    unlabelled: true,
  },
  { header: 'Hold', cell: ({ hold }) => <Mono value={hold} />, width: '12rem' },
  {
    header: 'Posts',
    cell: ({ count }) => countWithCeiling(count, ENGINE_COUNT_MAX),
    align: 'end',
    width: '8rem',
    corner: true,
  },
];

function workerBadge({ isAlive, isStopping, clockOffMs }: EngineWorker) {
  if (!isAlive) return <Badge tone="red">Not seen</Badge>;
  if (clockOffMs) return <Badge tone="red">Clock off</Badge>;
  return isStopping ? <Badge tone="amber">Stopping</Badge> : <Badge tone="green">Running</Badge>;
}

const NUMBER = { align: 'end', width: '7rem' } as const;

const WORKER_COLUMNS: readonly Column<EngineWorker>[] = [
  {
    header: 'Worker',
    cell: ({ id, isAlive, clockOffMs }) => (
      <>
        <Mono value={id} />
        {isAlive && clockOffMs && (
          <span className="block text-sm text-muted">{clockSentence(clockOffMs)}</span>
        )}
      </>
    ),
    unlabelled: true,
    wide: true,
  },
  { header: 'State', cell: workerBadge, width: '8rem', corner: true },
  {
    header: 'Started',
    cell: ({ startedAt }) => <Time value={startedAt} />,
    width: TIME_COLUMN_WIDTH,
  },
  { header: 'Last seen', cell: ({ seenAt }) => <Time value={seenAt} />, width: TIME_COLUMN_WIDTH },
  { header: 'Claimed', cell: ({ claimed }) => formatNumber(claimed), ...NUMBER },
  { header: 'Published', cell: ({ published }) => formatNumber(published), ...NUMBER },
  {
    header: 'p99 late',
    cell: ({ lastMinute: { lateness } }) => (lateness ? formatDuration(lateness.p99Ms) : NOTHING),
    ...NUMBER,
  },
];

const HOST_STATES: Readonly<Record<string, readonly [label: string, Tone]>> = {
  OPEN: ['Open', 'green'],
  SLOW: ['Slow', 'amber'],
  LIMITED: ['Limited', 'orange'],
  DOWN: ['Down', 'red'],
};

function hostBadge({ state }: EngineHost) {
  const [label, tone] = HOST_STATES[state] ?? [state, 'gray'];
  return <Badge tone={tone}>{label}</Badge>;
}

const HOST_COLUMNS: readonly Column<EngineHost>[] = [
  {
    header: 'Host',
    cell: ({ host, cause }) => (
      <>
        <Mono value={host} />
        {cause !== null && (
          <span className="block text-sm text-muted">
            <SafeText>{cause}</SafeText>
          </span>
        )}
      </>
    ),
    unlabelled: true,
    wide: true,
  },
  { header: 'State', cell: hostBadge, width: '8rem', corner: true },
  { header: 'Since', cell: ({ since }) => <Time value={since} />, width: TIME_COLUMN_WIDTH },
  {
    header: 'Next call',
    cell: ({ retryAt }) => <Time value={retryAt} />,
    width: TIME_COLUMN_WIDTH,
  },
  {
    header: 'Last success',
    cell: ({ lastOkAt }) => <Time value={lastOkAt} />,
    // The last column has the margin of the card.
    width: `calc(${TIME_COLUMN_WIDTH} + 0.5rem)`,
  },
];
