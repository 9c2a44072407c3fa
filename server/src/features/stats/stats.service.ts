import { POST_STATUSES } from '@meridian/contract/posts';
import type { Stats } from '@meridian/contract/stats';
import { USER_STATUSES } from '@meridian/contract/users';
import type { Database } from '../../db/database.ts';
import { countByStatus } from './stats.store.ts';
import type { StatusCount } from './stats.store.ts';

export function createStatsService(db: Database) {
  return {
    async get(): Promise<Stats> {
      const counts = await countByStatus(db);
      const users = counts.filter(({ noun }) => noun === 'users');
      const posts = counts.filter(({ noun }) => noun === 'posts');
      return {
        users: {
          total: sum(users),
          activeUsers: countOf(users, 'ACTIVE'),
          byStatus: inOrder(users, USER_STATUSES),
        },
        posts: { total: sum(posts), byStatus: inOrder(posts, POST_STATUSES) },
      };
    },
  };
}

// Added up instead of counted again, so that total and parts come from one instant.
function sum(counts: StatusCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function countOf(counts: StatusCount[], status: string): number {
  return counts.find((entry) => entry.status === status)?.count ?? 0;
}

/** Every status in a fixed order, zeros included: a chart then keeps one colour per status. */
function inOrder(counts: StatusCount[], statuses: readonly string[]): StatusCount[] {
  return statuses.map((status) => ({ status, count: countOf(counts, status) }));
}
