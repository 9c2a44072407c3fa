import { WORKER_ALIVE_SECONDS } from '@meridian/contract/engine';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { CLAIM_IS_NEAR, IS_OVERDUE } from '../features/posts/post-filter.ts';
import { IS_CLOCK_RIGHT } from '../engine/heartbeat.ts';
import { IS_FORGOTTEN } from '../features/engine/engine.store.ts';

/** No more than this are counted: from here on there are many, and counting them would take long. */
export const COUNTED_MOST = 10_000;

export type Backlog = {
  due: number;
  oldestDueSeconds: number;
  suspended: number;
  workers: number;
  hostsDown: number;
  deltas: number;
  retentionPosts: number;
  retentionPictures: number;
  retentionAgeSeconds: number | null;
};

/** Posts that are due and not held, what could publish them, and counter deltas not yet applied. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const most = sql`${COUNTED_MOST}::integer`;
  return db.one<Backlog>(sql`
    select waiting.due, coalesce(extract(epoch from now() - waiting.oldest), 0)::float8 as "oldestDueSeconds",
      (select is_service_suspended::integer from service_settings) as suspended,
      (select count(*)::integer from engine_workers
       where ${IS_CLOCK_RIGHT} and seen_at > now() - make_interval(secs => ${WORKER_ALIVE_SECONDS})) as workers,
      (select count(*)::integer from hosts
       where state = 'DOWN' and not ${IS_FORGOTTEN}) as "hostsDown",
      (select count(*)::integer from (
         select from counter_deltas limit ${most}
       ) as pending) as deltas,
      posts_deleted as "retentionPosts", pictures_deleted as "retentionPictures",
      extract(epoch from now() - finished_at)::float8 as "retentionAgeSeconds"
    from retention_state, (
      select count(*)::integer as due, min(scheduled_at) as oldest from (
        select scheduled_at from posts where ${CLAIM_IS_NEAR} and (${IS_OVERDUE}) is true
        order by claim_at limit ${most}) as overdue) as waiting`);
}
