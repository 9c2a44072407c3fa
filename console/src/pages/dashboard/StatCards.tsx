import type { Stats } from '@meridian/contract/overview';
import { Calendar, Clock, Users } from 'lucide-react';
import { paths, withSearch } from '../../paths.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { StatCard } from './StatCard.tsx';

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
        Icon={Clock}
      />
    </div>
  );
}
