import { totalsByStatus } from '../../counters/totals.ts';
import type { Noun } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type StatusCount = { status: string; count: number };

/** Both in one snapshot. */
export async function countByStatus(db: Db): Promise<(StatusCount & { noun: Noun })[]> {
  return db.many(sql`
    select 'users' as noun, status, n as count from (${totalsByStatus('users')}) as users
    union all
    select 'posts', status, n from (${totalsByStatus('posts')}) as posts`);
}
