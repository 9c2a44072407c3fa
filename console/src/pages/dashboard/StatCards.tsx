import type { Stats } from '@meridian/contract/stats';
import { Calendar, Clock, Users } from 'lucide-react';
import { paths, withSearch } from '../../paths.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { StatCard } from './StatCard.tsx';

function activeUsers(count: number): string {
  return `${formatNumber(count)} active ${count === 1 ? 'user' : 'users'}`;
}

export function StatCards({ stats }: { stats: Stats | undefined }) {
  const pending = stats?.posts.byStatus.find(({ status }) => status === 'PENDING')?.count ?? 0;
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <StatCard
        title="Total Users"
        value={stats?.users.total}
        subtitle={stats && activeUsers(stats.users.activeUsers)}
        to={paths.users}
        Icon={Users}
      />
      <StatCard
        title="Total Posts"
        value={stats?.posts.total}
        subtitle="All scheduled posts"
        to={paths.posts}
        Icon={Calendar}
      />
      <StatCard
        title="Pending Posts"
        value={stats && pending}
        subtitle="Awaiting execution"
        to={withSearch(paths.posts, { status: 'PENDING' })}
        Icon={Clock}
      />
    </div>
  );
}
