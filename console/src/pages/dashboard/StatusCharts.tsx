import { POST_STATUS_FILTERS } from '@meridian/contract/posts';
import type { Stats } from '@meridian/contract/overview';
import { USER_STATUSES } from '@meridian/contract/users';
import { paths, withSearch } from '../../paths.ts';
import { StatusChart } from './StatusChart.tsx';

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
