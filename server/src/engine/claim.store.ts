import { operatorSentence } from '@meridian/contract/causes';
import type { Cause } from '@meridian/contract/causes';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ClaimedPost } from './claimed-post.ts';
import type { EngineOptions } from './options.ts';

/** In the text of the statement: the planner takes a parameter for a tenth of all due posts. */
export const CLAIM_BATCH = 200;
const BATCH = sql.whole(CLAIM_BATCH);

/** A post claimed this late was kept back by a suspension or a stopped engine, not by load. */
const BACKLOG_AFTER = sql`interval '2 minutes'`;

/** Infinite instants cannot be subtracted, and one such row would make every claim fail. */
const FIRST_YEAR = sql`timestamptz '0001-01-01 00:00:00+00'`;

export type ClaimOptions = Pick<EngineOptions, 'lookaheadMs' | 'leaseMs' | 'lateLimitMs'> & {
  /** The host of users without an account of their own; null: they have to connect first. */
  defaultHost: string | null;
};

export type Claim = {
  posts: ClaimedPost[];
  /** Decided by hand after a claim: perhaps public all the same. */
  decided: ClaimedPost[];
  /** Posts looked at, claimed or not. A full batch means that there may be more. */
  examined: number;
  held: number;
  tooLate: number;
};

type Row = {
  verdict: 'claimed' | 'decided' | 'held' | 'too_late' | 'deferred' | 'early';
  id: string;
  user_id: string;
  did: string;
  host: string;
  attempt: number;
  due_ms: number;
  scheduled_at: string;
  was_pending: boolean;
  cause: Cause | null;
  content: string;
  facets: unknown;
  embed: unknown;
  languages: string[];
  reply_to: string | null;
  thread: unknown[] | null;
};

/**
 * Claims due posts of users who may publish, oldest first. Others are held until the cause ends, those
 * past the late limit fail, and of a backlog each user gets one post per schedule interval.
 */
export async function claimPosts(db: Db, options: ClaimOptions): Promise<Claim> {
  const rows = await db.many<Row>(claimStatement(options));
  const of = (verdict: Row['verdict']) => rows.filter((row) => row.verdict === verdict);
  return {
    posts: of('claimed').map(claimedPost),
    decided: of('decided').map(claimedPost),
    examined: rows.length,
    held: of('held').length,
    tooLate: of('too_late').length,
  };
}

export function claimStatement(options: ClaimOptions) {
  const { lookaheadMs, leaseMs, lateLimitMs, defaultHost } = options;
  const limitMinutes = Math.round(lateLimitMs / 60_000);
  const tooLate = operatorSentence('too_late', { minutes: '%s', limit: String(limitMinutes) });
  return sql`
    with state as materialized (select is_service_suspended, resumed_at from service_settings),
    due as materialized (
      select p.id, p.user_id, p.status, p.claim_at, p.scheduled_at, p.hold from posts p
      where p.claim_at <= now() + ${lookaheadMs} * interval '1 millisecond'
        and not (select is_service_suspended from state)
      order by p.claim_at limit ${BATCH} for no key update skip locked),
    judged as materialized (
      select due.*, u.did, coalesce(a.host, ${defaultHost}::text) as host,
        case when not (u.is_active and u.status in ('ACTIVE', 'RESTRICTED')) then 'user_off'
             when a.state = 'RECONNECT' or coalesce(a.host, ${defaultHost}::text) is null then 'reconnect'
             when a.state <> 'CONNECTED' then 'account_off' end as held_for,
        due.status = 'PENDING' and due.hold is distinct from 'catch_up' and due.scheduled_at
          < case when due.claim_at <= state.resumed_at then state.resumed_at else now() end
            - ${lateLimitMs} * interval '1 millisecond' as is_too_late,
        -- Only when claim_at was set by hand: a worker would have to hold it until its time.
        due.status = 'PENDING' and due.scheduled_at
          > now() + ${lookaheadMs} * interval '1 millisecond' + interval '10 seconds' as is_early,
        due.status = 'PENDING' and greatest(due.claim_at, due.scheduled_at) < now() - ${BACKLOG_AFTER} as is_backlog
      from state, due join users u on u.id = due.user_id left join accounts a on a.user_id = due.user_id),
    backlog as materialized (
      select user_id, count(*) as posts,
        make_interval(mins => coalesce(
          (effective_limits(user_id) ->> 'schedule_interval_minutes')::integer, 1)) as pace
      from judged where is_backlog and not is_too_late and held_for is null group by user_id),
    -- In one order, so that two workers cannot wait for each other.
    turns as (
      insert into catch_up as c select user_id, now() + posts * pace from backlog order by user_id
      on conflict (user_id) do update
        set next_at = greatest(c.next_at, now()) + (excluded.next_at - now())
      returning c.user_id, c.next_at),
    placed as (
      select j.id, t.next_at - b.pace *
        (b.posts - row_number() over (partition by j.user_id order by j.scheduled_at, j.id) + 1) as turn_at
      from judged j join backlog b on b.user_id = j.user_id join turns t on t.user_id = j.user_id
      where j.is_backlog and not j.is_too_late and j.held_for is null),
    verdicts as (
      select judged.*, placed.turn_at,
        case when status not in ('PENDING', 'PROCESSING') then 'decided' when is_early then 'early'
             when held_for is not null then 'held' when is_too_late then 'too_late'
             when placed.turn_at > now() then 'deferred' else 'claimed' end as verdict
      from judged left join placed on placed.id = judged.id)
    update posts p set
      status = case verdict when 'claimed' then 'PROCESSING' when 'too_late' then 'FAILED' else p.status end,
      claim_at = case when verdict = 'claimed' or verdict = 'decided' and p.attempt > 0 and p.at_uri is null
                      then now() + ${leaseMs} * interval '1 millisecond'
                      when verdict = 'held' then 'infinity' when verdict = 'deferred' then turn_at
                      when verdict = 'early' then first_claim_at(p.scheduled_at, p.embed, p.reply_to, p.thread) end,
      attempt = case verdict when 'claimed' then p.attempt + 1 else p.attempt end,
      hold = case verdict when 'held' then held_for when 'deferred' then 'catch_up' end,
      cause = case verdict when 'too_late' then 'too_late' else p.cause end,
      error_msg = case verdict when 'too_late'
        then format(${tooLate}, floor(extract(epoch from now() - greatest(p.scheduled_at, ${FIRST_YEAR})) / 60)) else p.error_msg end,
      version = case when verdict = 'too_late' or verdict = 'claimed' and p.status = 'PENDING'
                     then p.version + 1 else p.version end,
      updated_at = case when verdict = 'too_late' or verdict = 'claimed' and p.status = 'PENDING'
                        then now() else p.updated_at end
    from verdicts v where p.id = v.id
    returning v.verdict, p.id, p.user_id, v.did, v.host, p.attempt,
      (extract(epoch from case when v.status = 'PENDING' then greatest(v.scheduled_at, v.claim_at)
                               else v.claim_at end) * 1000)::float8 as due_ms,
      p.scheduled_at, v.status = 'PENDING' as was_pending, p.cause, p.content, p.facets, p.embed, p.languages, p.reply_to, p.thread`;
}

function claimedPost(row: Row): ClaimedPost {
  const { id, did, host, attempt, content, facets, embed, languages, thread } = row;
  return {
    id,
    userId: row.user_id,
    did,
    host,
    attempt,
    dueAt: row.due_ms,
    scheduledAt: new Date(row.scheduled_at),
    wasPending: row.was_pending,
    previousCause: row.cause,
    content,
    facets,
    embed,
    languages,
    replyTo: row.reply_to,
    thread,
  };
}
