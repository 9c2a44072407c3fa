import { POST_STATUSES } from '@meridian/contract/posts';
import { statsGet } from '@meridian/contract/overview';
import type { Stats } from '@meridian/contract/overview';
import { USER_STATUSES } from '@meridian/contract/users';
import type { FastifyInstance } from 'fastify';
import { totalsByStatus } from '../../counters/counters.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { register } from '../../http/register.ts';

export function statsRoutes(
  app: FastifyInstance,
  { stats }: { stats: ReturnType<typeof createStatsService> },
): void {
  register(app, statsGet, () => stats.get());
}

type StatusCount = { status: string; count: number };

export function createStatsService(db: Database) {
  return {
    async get(): Promise<Stats> {
      // Both are of one snapshot.
      const counts = await db.many<StatusCount & { noun: string }>(sql`
        select 'users' as noun, status, n as count from (${totalsByStatus('users')}) as users
        union all
        select 'posts', status, n from (${totalsByStatus('posts')}) as posts`);
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

const sum = (counts: StatusCount[]) => counts.reduce((total, { count }) => total + count, 0);

const countOf = (counts: StatusCount[], status: string) =>
  counts.find((entry) => entry.status === status)?.count ?? 0;

/** A chart keeps one colour per status, so zeros are included. */
const inOrder = (counts: StatusCount[], statuses: readonly string[]) =>
  statuses.map((status) => ({ status, count: countOf(counts, status) }));
