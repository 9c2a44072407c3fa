import { statsGet } from '@meridian/contract/stats';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { Clock } from '../../components/Clock.tsx';
import { LoadNote } from '../../components/LoadNote.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { useLoggedError } from '../../components/use-logged-error.ts';
import { Card } from '../../ui/Card.tsx';

import { StatCards } from './StatCards.tsx';
import { StatusCharts } from './StatusCharts.tsx';

export function DashboardPage() {
  const { data: stats, dataUpdatedAt, error, isFetching, refetch } = useEndpointQuery(statsGet);

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
          <LoadNote isRetrying={isFetching} onRetry={() => void refetch()}>
            The numbers could not be loaded.
          </LoadNote>
        </Card>
      )}
      {hasNumbers && (
        <div className="flex flex-col gap-4" aria-busy={stats === undefined}>
          <StatCards stats={stats} />
          <StatusCharts stats={stats} />
        </div>
      )}
    </>
  );
}
