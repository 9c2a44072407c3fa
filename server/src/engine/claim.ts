import { operatorSentence } from '@meridian/contract/causes';
import type { Cause } from '@meridian/contract/cause-words';
import type { EngineOptions } from '../config.ts';
import type { Database, Db } from '../db/database.ts';
import { isServerError } from '../db/errors.ts';
import { LOCKS, NEXT_VERSION, sql } from '../db/sql.ts';
import { DATABASE_IDENTITY } from './heartbeat.ts';
import type { Share } from './heartbeat.ts';

export type ClaimedPost = {
  id: string;
  userId: string;
  did: string;
  host: string;
  /** Every claim raises this, and a worker settles only the latest attempt. */
  attempt: number;
  /** The post is not sent before this moment, in milliseconds of the database's clock. */
  dueAt: number;
  scheduledAt: Date;
  wasPending: boolean;
  /** The post's turn in the catch-up has come: it goes out, however late it is by then. */
  hasTurn: boolean;
  /** The post was due before the database was restored, so its host is asked before it fails. */
  isDoubtful: boolean;
  tooLate: 'limit' | 'plan' | null;
  previousCause: Cause | null;
  content: string;
  facets: unknown;
  embed: unknown;
  languages: string[];
  replyTo: string | null;
  /** The database checks only that this is a list; `prepare` reads its parts. */
  thread: unknown[] | null;
};

export type ThreadPart = {
  content: string;
  facets?: unknown;
  embed?: unknown;
  languages?: string[];
};

export const CLAIM_BATCH = 200;

/** A post claimed this late was kept back by a suspension or a stopped engine, not by load. */
const BACKLOG_AFTER = sql`interval '2 minutes'`;

const BACKLOG_LOCK = sql.whole(LOCKS.backlog);

/** A worker leaves posts outside its share to the other workers for so long. */
const OTHERS_AFTER = sql`interval '1 second'`;

export type ClaimOptions = Pick<EngineOptions, 'lookaheadMs' | 'leaseMs' | 'lateLimitMs'> & {
  /** The number of posts examined; the engine lowers it when they are too large to be read in time. */
  most?: number;
  share?: Share;
  defaultHost: string | null;
};

export type Claim = {
  posts: ClaimedPost[];
  /** These were decided by hand while a worker had them, and may be public all the same. */
  decided: ClaimedPost[];
  examined: number;
  held: number;
  refused: Refused[];
};

type Refused = { id: string; error: unknown };

type Row = Omit<ClaimedPost, 'scheduledAt'> & {
  word: 'claimed' | 'decided' | 'held' | 'backlog';
  scheduledAt: string;
  lane: string;
  isBehind: boolean;
};

/** Posts of users who may not publish are held, and those of a backlog get turns for a later claim. */
export async function claimPosts(db: Database, options: ClaimOptions): Promise<Claim> {
  const { rows, refused } = await claimRows(db, options);
  const of = (word: Row['word']) => rows.filter((row) => row.word === word);
  return {
    posts: of('claimed').map(claimedPost),
    decided: of('decided').map(claimedPost),
    examined: rows.length,
    held: of('held').length,
    refused,
  };
}

function claimedPost(row: Row): ClaimedPost {
  return { ...row, scheduledAt: new Date(row.scheduledAt) };
}

const isOfRow = (error: unknown) =>
  isServerError(error) && /^(?:22|23|XX00[12])/u.test(error.code ?? '');

/** When one row fails the statement, each post is claimed by itself, and that one fails. */
async function claimRows(
  db: Database,
  options: ClaimOptions,
): Promise<{ rows: Row[]; refused: Refused[] }> {
  async function claimed(only?: string): Promise<Row[]> {
    const found = await db.many<Row>(claimStatement(options, only));
    const rows = found.filter(({ word }) => word !== 'backlog');
    if (rows.length === found.length) return rows;
    return db.transaction(async (tx) => {
      const again = await tx.many<Row>(claimStatement(options, only));
      await giveTurns(
        tx,
        again.filter(({ word }) => word === 'backlog'),
      );
      return [...rows, ...again];
    });
  }
  try {
    return { rows: await claimed(), refused: [] };
  } catch (error) {
    if (!isOfRow(error)) throw error;
  }
  const due = await db.many<{ id: string }>(sql`
    select id from posts p where ${isDue(options)} order by claim_at limit ${mostOf(options)}`);
  const rows: Row[] = [];
  const refused: Refused[] = [];
  for (const { id } of due) {
    try {
      rows.push(...(await claimed(id)));
    } catch (error) {
      // The posts claimed by now are delivered.
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

// Only PENDING posts are claimed ahead: any other one is its worker's until the lease ends.
// The words `is true` keep the planner from leaving the index on `claim_at` for the one on the status.
const isDue = ({ lookaheadMs }: ClaimOptions) => sql`
  p.claim_at <= now() + ${lookaheadMs} * interval '1 millisecond'
  and ((p.status = 'PENDING') is true or p.claim_at <= now())`;

/** The limit is no parameter: the planner would take it for a tenth of all due posts. */
const mostOf = ({ most = CLAIM_BATCH }: ClaimOptions) => sql.whole(most);

export function claimStatement(options: ClaimOptions, only?: string) {
  const { leaseMs, lateLimitMs, defaultHost, share = { index: 0, of: 1 } } = options;
  const lateLimit = sql`${lateLimitMs} * interval '1 millisecond'`;
  const whose =
    only === undefined
      ? sql`(uuid_hash(p.user_id) & 2147483647) % ${share.of}::integer = ${share.index}::integer
        or p.claim_at < now() - ${OTHERS_AFTER}`
      : sql`p.id = ${only}`;
  return sql`
    with service as materialized (
      select s as settings, s.resume_as_of, d.restored_at from service_settings s, engine_database d
      -- After a restore nothing is claimed until the heartbeat has written it down.
      where not s.is_service_suspended and d.identity = ${DATABASE_IDENTITY}),
    -- One worker at a time has posts of a backlog, so that its turns are in the order of the times.
    gate as materialized (
      select pg_advisory_xact_lock(${BACKLOG_LOCK}) from service where exists (
        select from posts where claim_at < greatest(now() - ${BACKLOG_AFTER}, resume_as_of))),
    due as materialized (
      select p.* from posts p
      where ${isDue(options)} and (${whose})
        and exists (select from service) and (select count(*) from gate) >= 0
      order by p.claim_at limit ${mostOf(options)} for no key update skip locked),
    known as materialized (
      select due.*, u.did, coalesce(a.host, ${defaultHost}::text) as host,
        coalesce(publishing_hold(u, a, ${defaultHost}::text),
          -- The limit counts here only when a plan has ended since the post was accepted.
          case when due.status = 'PENDING' and exists (
            select from plan_assignments e where e.user_id = due.user_id
              and assignment_status(e.status, e.expires_at) <> 'ACTIVE'
              and coalesce(e.revoked_at, e.expires_at, now()) >= due.created_at)
            and is_over_quota(due.user_id, due.scheduled_at, due.id) then 'quota' end) as held_for,
        due.scheduled_at <= restored_at is true as is_doubtful,
        case due.status when 'PENDING' then resume_verdict(settings, due.claim_at, due.scheduled_at) end as planned,
        due.hold is not distinct from 'catch_up' as has_turn,
        due.status = 'PENDING' and greatest(due.claim_at, due.scheduled_at) < now() - ${BACKLOG_AFTER} as is_overdue,
        due.scheduled_at < late_as_of(settings, due.claim_at, due.scheduled_at, ${lateLimit}) - ${lateLimit} as is_late
      from due cross join service join users u on u.id = due.user_id left join accounts a on a.user_id = u.id),
    -- The plan of a resume decides before the late limit. A doubtful post was claimed only to ask its host.
    timed as materialized (
      select *, case when planned = 'too_late' then 'plan'
        when planned is null and is_late and not has_turn and (status = 'PENDING' or is_doubtful) then 'limit' end as too_late
      from known),
    judged as materialized (
      select *, case when status not in ('PENDING', 'PROCESSING') then 'decided' when held_for is not null then 'held'
        when too_late is null and (is_overdue or planned is not distinct from 'turn') then 'backlog'
        else 'claimed' end as word
      from timed),
    taken as (
      update posts p set
        status = case word when 'claimed' then 'PROCESSING' else p.status end,
        attempt = case word when 'claimed' then p.attempt + 1 else p.attempt end,
        claim_at = case word when 'held' then 'infinity' else now() + ${leaseMs} * interval '1 millisecond' end,
        hold = case word when 'held' then held_for end,
        version = case when word = 'claimed' and p.status = 'PENDING' then ${NEXT_VERSION} else p.version end,
        updated_at = case when word = 'claimed' and p.status = 'PENDING' then now() else p.updated_at end
      from judged where p.id = judged.id and word <> 'backlog')
    select word, id, user_id as "userId", did, host, attempt + (word = 'claimed')::integer as attempt,
      scheduled_at as "scheduledAt",
      (extract(epoch from case status when 'PENDING' then greatest(scheduled_at, claim_at) else claim_at end) * 1000)::float8 as "dueAt",
      status = 'PENDING' as "wasPending", planned is null and has_turn as "hasTurn", is_doubtful as "isDoubtful",
      too_late as "tooLate", cause as "previousCause", content, facets, embed, languages, reply_to as "replyTo", thread,
      case when planned is null then user_id else resume_lane() end as lane,
      has_turn and claim_at > scheduled_at as "isBehind"
    from judged`;
}

// A backlog goes out one post per user and schedule interval, a resume plan one of all users per its own.
// When turns of a user passed without an engine, all posts of the user get new ones, in the order of their times.
async function giveTurns(tx: Db, backlog: readonly Row[]): Promise<void> {
  if (backlog.length === 0) return;
  const behind = new Set(
    backlog.filter((row) => row.isBehind && row.lane === row.userId).map(({ lane }) => lane),
  );
  const turned = backlog.filter(({ lane }) => !behind.has(lane));
  if (behind.size > 0) await resetTurns(tx, [...behind]);
  if (turned.length === 0) return;
  await tx.execute(sql`
    with waiting as materialized (
      select p.id, w.lane, count(*) over (partition by w.lane) as posts,
        row_number() over (partition by w.lane order by p.scheduled_at, p.id) as place
      from unnest(${turned.map(({ id }) => id)}::uuid[], ${turned.map(({ lane }) => lane)}::uuid[])
        as w (id, lane) join posts p on p.id = w.id),
    lanes as materialized (
      select lane, posts, case when lane = resume_lane() then (select resume_pace from service_settings)
        else make_interval(mins => coalesce((effective_limits(lane) ->> 'schedule_interval_minutes')::integer, 1)) end as pace
      from waiting where place = 1),
    -- In one order, so that two workers cannot wait for each other.
    turns as (
      insert into catch_up as c select lane, now() + posts * pace from lanes order by lane
      on conflict (user_id) do update set next_at = greatest(c.next_at, now()) + (excluded.next_at - now())
      returning c.user_id as lane, c.next_at)
    update posts p set hold = 'catch_up', claim_at = next_at - pace * (waiting.posts - place + 1)
    from waiting join lanes using (lane) join turns using (lane) where p.id = waiting.id`);
}

async function resetTurns(tx: Db, users: readonly string[]): Promise<void> {
  await tx.execute(sql`
    with turns as (delete from catch_up where user_id = any(${users}::uuid[])),
    waiting as materialized (
      select id from posts where user_id = any(${users}::uuid[]) and hold = 'catch_up'
      for no key update skip locked)
    update posts p set claim_at = first_claim_at(p.scheduled_at, p.embed, p.reply_to, p.thread)
    from waiting where p.id = waiting.id`);
}
