import type { Delivery } from '@meridian/contract/deliveries';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { RecordWrite } from '../../network/network.ts';

/** The latest attempts are enough: a post that is tried for ten minutes has a dozen. */
const ATTEMPTS_MAX = sql.whole(50);

export type DeliveryRow = Omit<Delivery, 'hold' | 'cause' | 'attempts' | 'records'> & {
  hold: string | null;
  cause: string | null;
  errorMessage: string | null;
  did: string | null;
  writes: Pick<RecordWrite, 'rkey' | 'cid'>[] | null;
};

/**
 * A post published at the first attempt is confirmed by its own row: the journal is written again
 * only for what did not go plainly.
 */
export async function findDelivery(db: Db, postId: string): Promise<DeliveryRow | null> {
  return db.maybeOne<DeliveryRow>(sql`
    select scheduled_at as "plannedAt", journalled_at as "claimedAt", sent_at as "sentAt",
      confirmed_at as "confirmedAt",
      -- Infinite instants cannot be subtracted; only SQL by hand writes them.
      case when isfinite(scheduled_at) then
        (extract(epoch from coalesce(sent_at, confirmed_at) - scheduled_at) * 1000)::float8 end
        as "latenessMs",
      attempt as claims, host, outcome, hold, cause, error_msg as "errorMessage",
      nullif(claim_at, 'infinity') as "nextLookAt", did, writes
    from (
      select p.scheduled_at, p.attempt, p.hold, p.cause, p.error_msg, p.claim_at,
        d.journalled_at, d.sent_at, d.host, d.did, d.writes,
        case when d.outcome in ('published', 'already', 'altered') then d.settled_at
             when p.status = 'COMPLETED' then p.executed_at end as confirmed_at,
        coalesce(d.outcome, case when p.status = 'COMPLETED' then 'published' end) as outcome
      from posts p left join deliveries d on d.post_id = p.id where p.id = ${postId}) as post`);
}

export type AttemptRow = Omit<Delivery['attempts'][number], 'cause'> & { cause: string };

export async function listAttempts(db: Db, postId: string): Promise<AttemptRow[]> {
  return db.many<AttemptRow>(sql`
    select attempt as number, started_at as "startedAt", ended_at as "endedAt", host,
      http_status as status, error, cause
    from delivery_attempts where post_id = ${postId}
    order by attempt desc limit ${ATTEMPTS_MAX}`);
}
