import { statsGet } from '@meridian/contract/overview';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { Clock } from '../../components/Clock.tsx';
import { LoadNote } from '../../components/LoadNote.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { useLoggedError } from '../../components/use-logged-error.ts';
import { Card } from '../../ui/Card.tsx';
import { OverviewSection } from './OverviewSection.tsx';
import { StatCards } from './StatCards.tsx';
import { StatusCharts } from './StatusCharts.tsx';

export function DashboardPage() {
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
