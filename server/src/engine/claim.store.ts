import { operatorSentence } from '@meridian/contract/causes';
import { INCIDENT_MESSAGES } from '@meridian/contract/incident';
import type { Db } from '../db/database.ts';
import { isServerError } from '../db/errors.ts';
import { LOCKS } from '../db/lock-keys.ts';
import { sql } from '../db/sql.ts';
import type { ClaimedPost } from './claimed-post.ts';
import { NEXT_VERSION } from './next-version.ts';
import type { EngineOptions } from './options.ts';
import { DATABASE_IDENTITY } from './workers.store.ts';

export const CLAIM_BATCH = 200;

/** A post claimed this late was kept back by a suspension or a stopped engine, not by load. */
const BACKLOG_AFTER = sql`interval '2 minutes'`;

const BACKLOG_LOCK = sql.whole(LOCKS.backlog);

/** The last fencing number: one more, and every claim would fail. Only SQL by hand gets there. */
const LAST_ATTEMPT = sql.whole(2_147_483_647);

/** Infinite instants cannot be subtracted, and one such row would make every claim fail. */
const FIRST_YEAR = sql`timestamptz '0001-01-01 00:00:00+00'`;

export type ClaimOptions = Pick<EngineOptions, 'lookaheadMs' | 'leaseMs' | 'lateLimitMs'> & {
  /** How many posts are looked at; fewer where these are too large to be read in time. */
  most?: number;
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
  /** Posts that can neither be claimed nor fail, with the database's refusal. */
  refused: Refused[];
};

type Refused = { id: string; error: unknown };

type Row = Omit<ClaimedPost, 'scheduledAt'> & {
  verdict: string;
  scheduledAt: string;
};

/**
 * Claims due posts of users who may publish, oldest first. Others are held until the cause ends, those
 * past the late limit fail, and of a backlog each user gets one post per schedule interval; the plan of
 * a resume goes before both.
 */
export async function claimPosts(db: Db, options: ClaimOptions): Promise<Claim> {
  const { rows, refused } = await claimRows(db, options);
  const of = (verdict: string) => rows.filter((row) => row.verdict === verdict);
  const behind = of('behind');
  if (behind.length > 0) await resetTurns(db, behind);
  return {
    posts: of('claimed').map(claimedPost),
    decided: of('decided').map(claimedPost),
    examined: rows.length,
    held: of('held').length,
    tooLate: of('too_late').length,
    refused,
  };
}

/** The row itself is refused, or cannot be read: a value, a constraint, a damaged page. */
const isOfRow = (error: unknown) =>
  isServerError(error) && /^(?:22|23|XX00[12])/u.test(error.code ?? '');

/** When one row fails the statement, each post is claimed by itself, and that one fails. */
async function claimRows(
  db: Db,
  options: ClaimOptions,
): Promise<{ rows: Row[]; refused: Refused[] }> {
  try {
    return { rows: await db.many<Row>(claimStatement(options)), refused: [] };
  } catch (error) {
    if (!isOfRow(error)) throw error;
  }
  const due = await db.many<{ id: string }>(sql`
    select id from posts where claim_at <= now() + ${options.lookaheadMs} * interval '1 millisecond'
    order by claim_at limit ${mostOf(options)}`);
  const rows: Row[] = [];
  const refused: Refused[] = [];
  for (const { id } of due) {
    try {
      rows.push(...(await db.many<Row>(claimStatement(options, id))));
    } catch (error) {
      // What is claimed by now is delivered.
      if (!isOfRow(error)) return { rows, refused };
      await failUnclaimed(db, id, String(error)).catch(() => refused.push({ id, error }));
    }
  }
  return { rows, refused };
}

async function failUnclaimed(db: Db, id: string, reason: string): Promise<void> {
  await db.execute(sql`
    update posts p set status = 'FAILED', claim_at = null, hold = null, cause = 'internal',
      error_msg = ${`${operatorSentence('internal', { reference: id })}: ${reason}`.slice(0, 600)},
      version = ${NEXT_VERSION}, updated_at = now()
    where id = ${id} and status in ('PENDING', 'PROCESSING')`);
}

/** In the text of the statement: the planner takes a parameter for a tenth of all due posts. */
const mostOf = ({ most = CLAIM_BATCH }: ClaimOptions) => sql.whole(most);

const CHANGES_STATUS = sql`
  (verdict in ('too_late', 'exhausted') or verdict = 'claimed' and p.status = 'PENDING')`;

export function claimStatement(options: ClaimOptions, only?: string) {
  const { lookaheadMs, leaseMs, lateLimitMs, defaultHost } = options;
  const lateLimit = sql`${lateLimitMs} * interval '1 millisecond'`;
  const ofOne = only === undefined ? sql.empty : sql`and p.id = ${only}`;
  const limitMinutes = Math.round(lateLimitMs / 60_000);
  const tooLate = operatorSentence('too_late', { minutes: '%s', limit: String(limitMinutes) });
  return sql`
    with state as materialized (
      select s as settings, s.*, d.restored_at from service_settings s, engine_database d
      -- After a restore nothing is claimed until the heartbeat has written it down.
      where d.identity = ${DATABASE_IDENTITY}),
    -- Of a backlog one worker after the other takes its part, so that all turns are in the order of the times.
    gate as materialized (
      select pg_advisory_xact_lock(${BACKLOG_LOCK}) from state where exists (
        select from posts where claim_at < greatest(now() - ${BACKLOG_AFTER}, resume_as_of))),
    due as materialized (
      select p.id, p.user_id, p.status, p.claim_at, p.scheduled_at, p.created_at, p.hold, p.attempt from posts p
      where p.claim_at <= now() + ${lookaheadMs} * interval '1 millisecond' ${ofOne}
        and not (select is_service_suspended from state) and (select count(*) from gate) >= 0
      order by p.claim_at limit ${mostOf(options)} for no key update skip locked),
    judged as materialized (
      select due.*, u.did, coalesce(a.host, ${defaultHost}::text) as host,
        case when not (u.is_active and u.status in ('ACTIVE', 'RESTRICTED')) then 'user_off'
             when a.state = 'RECONNECT' or coalesce(a.host, ${defaultHost}::text) is null then 'reconnect'
             when a.state <> 'CONNECTED' then 'account_off'
             -- Only when a plan has ended since the post was accepted.
             when due.status = 'PENDING' and exists (
                 select from plan_assignments e where e.user_id = due.user_id
                   and assignment_status(e.status, e.expires_at) <> 'ACTIVE'
                   and coalesce(e.revoked_at, e.expires_at, now()) >= due.created_at)
               and is_over_quota(due.user_id, due.scheduled_at, due.id) then 'quota' end as held_for,
        -- One that may be public was claimed only to ask its host, so it stays too late.
        (due.status = 'PENDING' or is_doubtful) and due.hold is distinct from 'catch_up' and due.scheduled_at
          < late_as_of(state.settings, due.claim_at, due.scheduled_at, ${lateLimit}) - ${lateLimit} as is_past_limit,
        case due.status when 'PENDING'
          then resume_verdict(state.settings, due.claim_at, due.scheduled_at) end as planned,
        -- Only when claim_at was set by hand: a worker would have to hold it until its time.
        due.status = 'PENDING' and due.scheduled_at
          > now() + ${lookaheadMs} * interval '1 millisecond' + interval '10 seconds' as is_early,
        due.status = 'PENDING' and greatest(due.claim_at, due.scheduled_at) < now() - ${BACKLOG_AFTER} as is_overdue, is_doubtful
      from state, due cross join lateral (
          select due.scheduled_at <= state.restored_at is true as is_doubtful) as doubt join users u on u.id = due.user_id left join accounts a on a.user_id = due.user_id),
    -- The plan of a resume decides before the late limit, and its posts take turns in one lane.
    sorted as materialized (
      select *, coalesce(planned = 'too_late', is_past_limit) as is_too_late,
        is_overdue or planned is not distinct from 'turn' as is_backlog,
        case when planned is null then user_id else resume_lane() end as lane
      from judged),
    backlog as materialized (
      select lane, count(*) as posts,
        case when lane = resume_lane() then (select resume_pace from state)
             else make_interval(mins => coalesce(
               (effective_limits(lane) ->> 'schedule_interval_minutes')::integer, 1)) end as pace,
        -- Its turn passed without an engine: the turns of all posts of the user are given anew.
        lane <> resume_lane()
          and bool_or(hold is not distinct from 'catch_up' and claim_at > scheduled_at) as is_behind
      from sorted where is_backlog and not is_too_late and held_for is null group by lane),
    -- In one order, so that two workers cannot wait for each other.
    turns as (
      insert into catch_up as c select lane, now() + posts * pace from backlog
      where not is_behind order by lane
      on conflict (user_id) do update
        set next_at = greatest(c.next_at, now()) + (excluded.next_at - now())
      returning c.user_id, c.next_at),
    placed as (
      select j.id, t.next_at - b.pace *
        (b.posts - row_number() over (partition by j.lane order by j.scheduled_at, j.id) + 1) as turn_at
      from sorted j join backlog b on b.lane = j.lane join turns t on t.user_id = j.lane
      where j.is_backlog and not j.is_too_late and j.held_for is null),
    verdicts as (
      select sorted.*, placed.turn_at,
        case when status not in ('PENDING', 'PROCESSING') then 'decided' when is_early then 'early'
             when attempt = ${LAST_ATTEMPT} then 'exhausted'
             when held_for is not null then 'held' when is_too_late and not is_doubtful then 'too_late'
             when is_backlog and b.is_behind then 'behind'
             when placed.turn_at > now() then 'deferred' else 'claimed' end as verdict
      from sorted left join placed on placed.id = sorted.id
        left join backlog b on b.lane = sorted.lane)
    update posts p set
      status = case when verdict = 'claimed' then 'PROCESSING'
                    when verdict in ('too_late', 'exhausted') then 'FAILED' else p.status end,
      claim_at = case when verdict in ('claimed', 'exhausted') or verdict = 'decided' and p.attempt > 0 and p.at_uri is null
                      then now() + ${leaseMs} * interval '1 millisecond'
                      when verdict = 'held' then 'infinity' when verdict = 'deferred' then turn_at
                      when verdict = 'behind' then p.claim_at
                      when verdict = 'early' then first_claim_at(p.scheduled_at, p.embed, p.reply_to, p.thread) end,
      attempt = case verdict when 'claimed' then p.attempt + 1 else p.attempt end,
      hold = case verdict when 'held' then held_for when 'deferred' then 'catch_up' when 'behind' then p.hold end,
      cause = case verdict when 'too_late' then 'too_late' when 'exhausted' then 'internal' else p.cause end,
      error_msg = case verdict when 'too_late' then case when planned = 'too_late' then ${INCIDENT_MESSAGES.tooLate}
        else format(${tooLate}, floor(extract(epoch from now() - greatest(p.scheduled_at, ${FIRST_YEAR})) / 60)) end
        when 'exhausted' then ${operatorSentence('internal')} else p.error_msg end,
      version = case when ${CHANGES_STATUS} then ${NEXT_VERSION} else p.version end,
      updated_at = case when ${CHANGES_STATUS} then now() else p.updated_at end
    from verdicts v where p.id = v.id
    returning v.verdict, p.id, p.user_id as "userId", v.did, v.host, p.attempt,
      (extract(epoch from case when v.status = 'PENDING' then greatest(v.scheduled_at, v.claim_at)
                               else v.claim_at end) * 1000)::float8 as "dueAt",
      p.scheduled_at as "scheduledAt", v.status = 'PENDING' as "wasPending",
      v.planned is null and (v.is_backlog or v.hold is not distinct from 'catch_up') as "hasTurn", p.cause as "previousCause",
      v.is_doubtful as "isDoubtful", v.is_too_late as "isTooLate",
      p.content, p.facets, p.embed, p.languages, p.reply_to as "replyTo", p.thread`;
}

/** As before their first turn: the next claim sees them together, in the order of their times. */
async function resetTurns(db: Db, posts: readonly Row[]): Promise<void> {
  const users = posts.map(({ userId }) => userId);
  await db.execute(sql`
    with turns as (delete from catch_up where user_id = any(${users}::uuid[])),
    waiting as materialized (
      select id from posts where user_id = any(${users}::uuid[]) and hold = 'catch_up'
      for no key update skip locked)
    update posts p set claim_at = first_claim_at(p.scheduled_at, p.embed, p.reply_to, p.thread)
    from waiting where p.id = waiting.id`);
}

function claimedPost(row: Row): ClaimedPost {
  return { ...row, scheduledAt: new Date(row.scheduledAt) };
}
