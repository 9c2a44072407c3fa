import { POST_STATUSES } from '@meridian/contract/posts';
import type { Stats } from '@meridian/contract/stats';
import { USER_STATUSES } from '@meridian/contract/users';
import type { Database } from '../../db/database.ts';
import * as store from './stats.store.ts';

export type StatsService = ReturnType<typeof createStatsService>;

export function createStatsService(db: Database) {
  return {
    async get(): Promise<Stats> {
      const [users, posts] = await Promise.all([
        store.countUsersByStatus(db),
        store.countPostsByStatus(db),
      ]);
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
function sum(counts: store.StatusCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function countOf(counts: store.StatusCount[], status: string): number {
  return counts.find((entry) => entry.status === status)?.count ?? 0;
}

/** Every status in a fixed order, zeros included: a chart then keeps one colour per status. */
function inOrder(counts: store.StatusCount[], statuses: readonly string[]): store.StatusCount[] {
  return statuses.map((status) => ({ status, count: countOf(counts, status) }));
}
