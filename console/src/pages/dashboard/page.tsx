import { Calendar, Clock as ClockIcon, type LucideIcon, Users } from 'lucide-react';
import { useId } from 'react';
import { overviewGet, type Stats, statsGet } from '@meridian/contract/overview';
import { POST_STATUS_FILTERS } from '@meridian/contract/posts';
import { USER_STATUSES } from '@meridian/contract/users';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { PieChart } from '@meridian/ui/PieChart.tsx';
import { Clock } from '@meridian/ui/DataAge.tsx';
import { useLoggedError } from '@meridian/ui/api/browser.ts';
import { prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { expectMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { LoadNote } from '@meridian/ui/failures.tsx';
import { formatNumber } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { STATUS_TONES, statusLabel } from '../../components/badges.tsx';
import { paths, withSearch } from '../../paths.ts';
import { OverviewSection } from './overview.tsx';

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
          <StatusCharts stats={stats} />
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

function activeUsers(count: number): string {
  return `${formatNumber(count)} active ${count === 1 ? 'user' : 'users'}`;
}

function pendingPosts({ posts }: Stats): number {
  return posts.byStatus.find(({ status }) => status === 'PENDING')?.count ?? 0;
}

export function StatCards({ stats }: { stats: Stats | undefined }) {
  return (
    <div className="grid gap-4 @xl:grid-cols-3">
      <StatCard
        title="Total Users"
        value={stats && formatNumber(stats.users.total)}
        subtitle={stats && activeUsers(stats.users.activeUsers)}
        to={paths.users}
        Icon={Users}
      />
      <StatCard
        title="Total Posts"
        value={stats && formatNumber(stats.posts.total)}
        subtitle="All scheduled posts"
        to={paths.posts}
        Icon={Calendar}
      />
      <StatCard
        title="Pending Posts"
        value={stats && formatNumber(pendingPosts(stats))}
        subtitle="Awaiting execution"
        to={withSearch(paths.posts, { status: 'PENDING' })}
        Icon={ClockIcon}
      />
    </div>
  );
}

export interface StatCardProps {
  title: string;
  /** Undefined until it is known: never a false zero. */
  value: string | undefined;
  subtitle: string | undefined;
  /** The list behind the number. */
  to: string;
  Icon: LucideIcon;
}

export function StatCard({ title, value, subtitle, to, Icon }: StatCardProps) {
  return (
    <Card as="article" className="relative p-5 transition-colors hover:border-border-strong">
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
        {value ?? <Skeleton width="6rem" />}
      </p>
      <p className="mt-0.5 text-sm text-muted">{subtitle ?? <Skeleton width="8rem" />}</p>
    </Card>
  );
}

/** The list filters by this word; undefined where it knows no such status. */
function postFilter(status: string): string | undefined {
  const filter = status === 'PROCESSING' ? 'EXECUTING' : status;
  return POST_STATUS_FILTERS.find((word) => word === filter);
}

function userFilter(status: string): string | undefined {
  return USER_STATUSES.find((word) => word === status);
}

function listOf(path: string, status: string | undefined): string | undefined {
  return status === undefined ? undefined : withSearch(path, { status });
}

export function StatusCharts({ stats }: { stats: Stats | undefined }) {
  return (
    <div className="grid gap-4 @3xl:grid-cols-2">
      <StatusChart
        title="Posts by Status"
        stats={stats?.posts}
        linkOf={(status) => listOf(paths.posts, postFilter(status))}
      />
      <StatusChart
        title="Users by Status"
        stats={stats?.users}
        linkOf={(status) => listOf(paths.users, userFilter(status))}
      />
    </div>
  );
}

export interface StatusChartProps {
  title: string;
  /** Undefined until they are known. */
  stats: Stats['posts'] | undefined;
  /** The filtered list; undefined where the list knows no such status. */
  linkOf: (status: string) => string | undefined;
}

/** The lines of a legend, before it is known which. */
const LEGEND = ['55%', '70%', '60%', '65%'] as const;

export function StatusChart({ title, stats, linkOf }: StatusChartProps) {
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
              {LEGEND.map((width) => (
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
              const to = linkOf(key);
              return to === undefined ? undefined : <AppLink to={to} {...link} />;
            }}
          />
        )}
      </CardBody>
    </Card>
  );
}
