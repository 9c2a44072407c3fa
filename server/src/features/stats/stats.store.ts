import { totalsByStatus } from '../../counts/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

type Noun = 'users' | 'posts';
export type StatusCount = { status: string; count: number };

/** Both in one snapshot. */
export async function countByStatus(db: Db): Promise<(StatusCount & { noun: Noun })[]> {
  return db.many(sql`
    select 'users' as noun, status, n as count from (${totalsByStatus('users.created')}) as users
    union all
    select 'posts', status, n from (${totalsByStatus('posts.id')}) as posts`);
}
