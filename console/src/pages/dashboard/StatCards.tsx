import type { Stats } from '@meridian/contract/stats';
import { Calendar, Clock, Users } from 'lucide-react';
import { paths, withSearch } from '../../paths.ts';
import { countText } from '../../ui/format-number.ts';
import { StatCard } from './StatCard.tsx';

function activeUsers(count: number | undefined): string {
  return `${countText(count)} active ${count === 1 ? 'user' : 'users'}`;
}

/** None are pending where only other statuses are listed; without any list it is not known. */
function pendingPosts({ posts: { total, byStatus } }: Stats): number | undefined {
  const pending = byStatus.find(({ status }) => status === 'PENDING');
  if (pending !== undefined) return pending.count;
  return byStatus.length > 0 || total === 0 ? 0 : undefined;
}

export function StatCards({ stats }: { stats: Stats | undefined }) {
  return (
    <div className="grid gap-4 @xl:grid-cols-3">
      <StatCard
        title="Total Users"
        value={stats && countText(stats.users.total)}
        subtitle={stats && activeUsers(stats.users.activeUsers)}
        to={paths.users}
        Icon={Users}
      />
      <StatCard
        title="Total Posts"
        value={stats && countText(stats.posts.total)}
        subtitle="All scheduled posts"
        to={paths.posts}
        Icon={Calendar}
      />
      <StatCard
        title="Pending Posts"
        value={stats && countText(pendingPosts(stats))}
        subtitle="Awaiting execution"
        to={withSearch(paths.posts, { status: 'PENDING' })}
        Icon={Clock}
      />
    </div>
  );
}
