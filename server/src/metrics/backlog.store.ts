import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** No more than this are counted: from here on there are many, and counting them would take long. */
export const COUNTED_MOST = 10_000;

export type Backlog = { due: number; oldestDueSeconds: number; deltas: number };

/** Posts that are due, and counter deltas not yet applied. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const most = sql`${COUNTED_MOST}::integer`;
  return db.one<Backlog>(sql`
    select
      (select count(*)::integer from (
         select from posts where status = 'PENDING' and scheduled_at <= now() limit ${most}
       ) as due) as due,
      (select coalesce(greatest(0, extract(epoch from now() - min(scheduled_at))), 0)::float8
       from posts where status = 'PENDING') as "oldestDueSeconds",
      (select count(*)::integer from (
         select from counter_deltas limit ${most}
       ) as pending) as deltas`);
}
