import type { EngineHost, EngineState, EngineWorker, Suspension } from '@meridian/contract/engine';
import { ENGINE_COUNT_MAX, WORKER_ALIVE_SECONDS } from '@meridian/contract/engine';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { CLAIM_IS_NEAR, IS_OVERDUE } from '../posts/post-filter.ts';

/** More workers or hosts than this fit no page. */
const ROWS_MAX = sql.whole(100);
const COUNTED_MAX = sql.whole(ENGINE_COUNT_MAX);
const HOUR_MAX = sql.whole(250_000);

export type ServiceState = Pick<EngineState, 'isSuspended' | 'suspendedAt' | 'suspension'>;

export async function readService(db: Db): Promise<ServiceState> {
  const { isSuspended, suspendedAt, ...suspension } = await db.one<ServiceState & Suspension>(sql`
    select is_service_suspended as "isSuspended",
           case when is_service_suspended then suspended_at end as "suspendedAt",
           suspended_by as by, suspension_reason as reason, expected_end_at as "expectedEndAt",
           notice as "noticeForPeople"
    from service_settings`);
  return { isSuspended, suspendedAt, suspension: isSuspended ? suspension : null };
}

export type WorkerRow = Omit<EngineWorker, 'lastMinute'> & {
  lastPublished: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
};

/** The living ones first. */
export async function listWorkers(db: Db): Promise<WorkerRow[]> {
  return db.many<WorkerRow>(sql`
    select id, version, network, started_at as "startedAt", seen_at as "seenAt",
      seen_at > now() - make_interval(secs => ${WORKER_ALIVE_SECONDS}) as "isAlive",
      is_stopping as "isStopping", (last_minute ->> 'clockOffMs')::float8 as "clockOffMs",
      claimed, published,
      (last_minute ->> 'published')::integer as "lastPublished",
      (last_minute -> 'latenessMs' ->> 'p50')::float8 as "p50Ms",
      (last_minute -> 'latenessMs' ->> 'p95')::float8 as "p95Ms",
      (last_minute -> 'latenessMs' ->> 'p99')::float8 as "p99Ms",
      (last_minute -> 'latenessMs' ->> 'max')::float8 as "maxMs"
    from engine_workers order by "isAlive" desc, started_at, id limit ${ROWS_MAX}`);
}

/** How late a post may be, and whether users without an account of their own have to connect first. */
export type ClaimRules = { lateLimitMinutes: number; needsAccount: boolean };

/** Whether the next claim would publish for a user. */
export const mayPublish = (
  userId: Sql,
  { needsAccount }: Pick<ClaimRules, 'needsAccount'>,
) => sql`exists (
  select from users u left join accounts a on a.user_id = u.id
  where u.id = ${userId} and publishing_hold(u, a, ${needsAccount ? null : ''}::text) is null)`;

/** Too late are those that the next claim would fail: users who may not publish are held instead. */
export async function readWaiting(db: Db, rules: ClaimRules): Promise<EngineState['waiting']> {
  return db.one<EngineState['waiting']>(sql`
    select count(*)::integer as count, min(scheduled_at) as "oldestAt",
      count(*) filter (
        where scheduled_at < now() - make_interval(mins => ${rules.lateLimitMinutes})
          and hold is distinct from 'catch_up' and ${mayPublish(sql`overdue.user_id`, rules)}
      )::integer as "tooLate"
    from (select user_id, scheduled_at, hold from posts
          where ${CLAIM_IS_NEAR} and (${IS_OVERDUE}) is true
          order by claim_at limit ${COUNTED_MAX}) as overdue`);
}

/** Those that wait for an event, and those that wait for a time. */
export async function countHeld(db: Db): Promise<{ hold: string; count: number }[]> {
  return db.many(sql`
    select hold, count(*)::integer as count
    from (select hold from posts where hold is not null limit ${COUNTED_MAX}) as held
    group by hold order by count desc, hold`);
}

/** Posts that wait for a host probe it every few minutes. Without any, its last state says nothing of now. */
export const IS_FORGOTTEN = sql`(state in ('DOWN', 'LIMITED')
  and coalesce(retry_at, state_since) < now() - interval '15 minutes')`;

export async function listHosts(db: Db): Promise<EngineHost[]> {
  return db.many<EngineHost>(sql`
    select host, state, state_since as since, cause, last_ok_at as "lastOkAt",
      -- Once it has passed, the next call is that of the next post.
      case when retry_at > now() then retry_at end as "retryAt"
    from hosts where not ${IS_FORGOTTEN} order by state = 'OPEN', host limit ${ROWS_MAX}`);
}

/** From the index alone: what is on the wire or tried again within the hour counts too. */
export async function countNextHour(db: Db): Promise<EngineState['nextHour']> {
  return db.many(sql`
    select date_trunc('minute', claim_at) as at, count(*)::integer as count from (
      select claim_at from posts where claim_at > now() and claim_at <= now() + interval '1 hour'
      order by claim_at limit ${HOUR_MAX}) as due
    group by at order by at`);
}
