import { Calendar, Clock as ClockIcon, Users } from 'lucide-react';
import { useId } from 'react';
import { OVERVIEW_MESSAGES, overviewGet, type Stats, statsGet } from '@meridian/contract/overview';
import { POST_STATUS_FILTERS } from '@meridian/contract/posts';
import { USER_STATUSES } from '@meridian/contract/users';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { PieChart } from '@meridian/ui/PieChart.tsx';
import { Clock } from '@meridian/ui/DataAge.tsx';
import { useLoggedError } from '@meridian/ui/api/browser.ts';
import { prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { expectMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { LoadError, LoadNote } from '@meridian/ui/failures.tsx';
import { formatNumber } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { STATUS_TONES, statusLabel } from '../../components/badges.tsx';
import { paths, withSearch } from '../../paths.ts';
import { DueCharts, HandoverCard, OverviewFigures, VisitCard } from './overview.tsx';

export function loader(): void {
  prefetch(statsGet);
  if (expectMeridian() === true) prefetch(overviewGet);
}

export function Component() {
  const query = useEndpointQuery(statsGet);
  const { data: stats, dataUpdatedAt, error } = query;
  const isMeridian = useIsMeridian();
  useLoggedError('Failed to load the dashboard', error);
  const hasNumbers = stats !== undefined || error === null;
  return (
    <>
      <PageTitle
        title="Dashboard"
        context="Users and scheduled posts at a glance"
        actions={hasNumbers && <Clock at={stats && new Date(dataUpdatedAt)} />}
      />
      {error !== null && (
        <Card as="div" className="mb-4 p-4">
          <LoadNote query={query}>The numbers could not be loaded.</LoadNote>
        </Card>
      )}
      {hasNumbers && (
        <div className="flex flex-col gap-4" aria-busy={stats === undefined}>
          <StatCards stats={stats} />
          <div className="grid gap-4 @3xl:grid-cols-2">
            <StatusChart
              title="Posts by Status"
              stats={stats?.posts}
              path={paths.posts}
              filters={POST_STATUS_FILTERS}
            />
            <StatusChart
              title="Users by Status"
              stats={stats?.users}
              path={paths.users}
              filters={USER_STATUSES}
            />
          </div>
        </div>
      )}
      {isMeridian && stats?.users.total === 0 && stats.posts.total === 0 && (
        <p className="mt-4 text-sm text-muted">
          There are no users or posts yet. They arrive through your service, or from files with the
          command <code>npm run import</code>: “Where data comes from” in the README names every
          way.
        </p>
      )}
      {isMeridian && <OverviewSection />}
    </>
  );
}

function StatCards({ stats }: { stats: Stats | undefined }) {
  const { users, posts } = stats ?? {};
  const pending = posts && (posts.byStatus.find((one) => one.status === 'PENDING')?.count ?? 0);
  const pendingList = withSearch(paths.posts, { status: 'PENDING' });
  /** Numbers are undefined until they are known: never a false zero. */
  const cards = [
    ['Total Users', users?.total, users && activeText(users.activeUsers), paths.users, Users],
    ['Total Posts', posts?.total, 'All scheduled posts', paths.posts, Calendar],
    ['Pending Posts', pending, 'Awaiting execution', pendingList, ClockIcon],
  ] as const;
  return (
    <div className="grid gap-4 @xl:grid-cols-3">
      {cards.map(([title, value, subtitle, to, Icon]) => (
        <Card
          key={title}
          as="article"
          className="relative p-5 transition-colors hover:border-border-strong"
        >
          <div className="flex items-center justify-between gap-3">
            <h2 className="text-base leading-6 font-medium text-muted">
              {/* The whole card can be pressed; its name is the title. */}
              <AppLink to={to} className="rounded-sm after:absolute after:inset-0 after:rounded-lg">
                {title}
              </AppLink>
            </h2>
            <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
          </div>
          <p className="mt-1 text-2xl font-semibold tabular-nums">
            {value === undefined ? <Skeleton width="6rem" /> : formatNumber(value)}
          </p>
          <p className="mt-0.5 text-sm text-muted">{subtitle ?? <Skeleton width="8rem" />}</p>
        </Card>
      ))}
    </div>
  );
}

const activeText = (count: number) =>
  `${formatNumber(count)} active ${count === 1 ? 'user' : 'users'}`;

interface StatusChartProps {
  title: string;
  stats: Stats['posts'] | undefined;
  path: string;
  /** The statuses that the list can show alone. */
  filters: readonly string[];
}

function StatusChart({ title, stats, path, filters }: StatusChartProps) {
  const titleId = useId();
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader title={title} titleId={titleId} />
      {/* As high as a pie with its legend, so that nothing moves when they come. */}
      <CardBody className="flex min-h-58 flex-col justify-center">
        {stats === undefined ? (
          <div aria-hidden="true" className="flex flex-wrap items-center gap-x-10 gap-y-6">
            <Skeleton round width="11rem" height="11rem" className="mx-auto" />
            <div className="min-w-[min(100%,13rem)] flex-1">
              {['55%', '70%', '60%', '65%'].map((width) => (
                <div key={width} className="flex min-h-8 items-center coarse:min-h-10">
                  <Skeleton width={width} />
                </div>
              ))}
            </div>
          </div>
        ) : (
          <PieChart
            label={title}
            keyLabel="Status"
            total={stats.total}
            data={stats.byStatus.map(({ status, count }) => ({
              key: status,
              label: statusLabel(status),
              value: count,
              tone: STATUS_TONES[status],
            }))}
            renderLink={({ key }, link) => {
              // The list of posts says EXECUTING where everything else says PROCESSING.
              const status = key === 'PROCESSING' ? 'EXECUTING' : key;
              if (!filters.includes(status)) return undefined;
              return <AppLink to={withSearch(path, { status })} {...link} />;
            }}
          />
        )}
      </CardBody>
    </Card>
  );
}

function OverviewSection() {
  const query = useEndpointQuery(overviewGet, {}, { pollMs: 30_000 });
  const { data, error } = query;
  return (
    <section aria-labelledby="now" className="mt-8 flex flex-col gap-4">
      <h2 id="now" className="text-xl font-semibold">
        Now
      </h2>
      <LoadError query={query} failed={OVERVIEW_MESSAGES.loadFailed} />
      {(data !== undefined || error === null) && (
        <>
          <OverviewFigures overview={data} />
          <DueCharts overview={data} />
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
