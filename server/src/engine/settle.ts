import { operatorSentence } from '@meridian/contract/causes';
import type { Cause, Hold } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';
import { SUSPENSION_MESSAGES } from '@meridian/contract/suspension';
import { record } from '../audit/audit.store.ts';
import type { Locked } from '../db/batch.ts';
import type { Db } from '../db/database.ts';
import { NEXT_VERSION, sql } from '../db/sql.ts';
import type { ClaimedPost } from './claim.ts';
import type { Permit } from './hosts.ts';
import type { Journalled } from './journal.ts';
import { decide, lateFacts } from './outcome.ts';
import type { Situation, Step } from './outcome.ts';

type Settled = { postId: string; attempt: number };

export type Published = Settled & {
  outcome: 'published' | 'already' | 'altered';
  atUri: string;
  rkey: string;
  sentAt: number;
  note: { cause: Cause; sentence: string } | null;
};

export type Unpublished = Settled & {
  /** The status is PENDING only when nothing was ever sent. */
  status: 'PENDING' | 'PROCESSING' | 'FAILED';
  /** 'planned' is the post's own time, and 'never' is for held and failed posts. */
  next: { inMs: number } | 'planned' | 'never';
  hold: Hold | null;
  cause: Cause | null;
  sentence: string | null;
  outcome: 'refused' | 'unknown' | null;
  isUnsent: boolean;
  call: FailedCall | null;
};

export type FailedCall = {
  startedAt: number;
  endedAt: number;
  host: string;
  httpStatus: number | null;
  error: string;
  worker: string;
};

/** The planner would take a plain `=` for the rarer condition, which it is not, so `is true` follows. */
const STILL_OURS = sql`p.id = f.id and p.attempt = f.attempt and (p.status = 'PROCESSING') is true`;

const lockClause = (locked: Locked) =>
  locked === 'skip' ? sql`for no key update of p skip locked` : sql`for no key update of p`;

export async function settlePublished(
  db: Db,
  posts: readonly Published[],
  locked: Locked = 'wait',
): Promise<Published[]> {
  return withoutRows(posts, await db.many(publishedStatement(posts, locked)));
}

function withoutRows<Post extends Settled>(posts: readonly Post[], rows: { id: string }[]): Post[] {
  const settled = new Set(rows.map(({ id }) => id));
  return posts.filter(({ postId }) => !settled.has(postId));
}

export function publishedStatement(posts: readonly Published[], locked: Locked = 'wait') {
  return sql`
    with f as materialized (
      select * from unnest(
        ${posts.map((post) => post.postId)}::uuid[], ${posts.map((post) => post.attempt)}::integer[],
        ${posts.map((post) => post.outcome)}::text[], ${posts.map((post) => post.atUri)}::text[],
        ${posts.map((post) => post.rkey)}::text[], ${posts.map((post) => post.sentAt)}::float8[],
        ${posts.map((post) => post.note?.cause ?? null)}::text[],
        ${posts.map((post) => post.note?.sentence ?? null)}::text[]
      ) as f (id, attempt, outcome, at_uri, rkey, sent_ms, cause, sentence)),
    ours as materialized (select f.* from f join posts p on ${STILL_OURS} ${lockClause(locked)}),
    -- A transaction that deletes a post has its journal entry locked as well; its texts were kept for the
    -- look that ends here. The engine's clock may be behind the database's, so that the post would seem to be
    -- sent before it was journalled.
    journalled as (
      update deliveries d set sent_at = greatest(to_timestamp(f.sent_ms / 1000), d.journalled_at),
        settled_at = now(), outcome = f.outcome, at_uri = f.at_uri, look_at = null,
        writes = case when d.look_at is null then d.writes else without_records(d.writes) end
      from ${locked === 'skip' ? sql`ours` : sql`f`} as f where d.post_id = f.id)
    update posts p set status = 'COMPLETED', claim_at = null, hold = null, cause = f.cause,
      executed_at = now(), at_uri = f.at_uri, at_rkey = f.rkey, error_msg = f.sentence,
      version = ${NEXT_VERSION}, updated_at = now()
    from ours f where p.id = f.id returning p.id`;
}

/** The post is public: an open one is completed, a decided one keeps its status and gets the address. */
export async function settleFenced(db: Db, post: Published): Promise<void> {
  const sentence = operatorSentence('published_after_cancel', {});
  const known = await db.execute(sql`
    update posts p set
      status = case when status in ('PENDING', 'PROCESSING') then 'COMPLETED' else status end,
      claim_at = null, hold = null, at_uri = ${post.atUri}, at_rkey = ${post.rkey},
      executed_at = coalesce(executed_at, now()),
      cause = case when status in ('CANCELLED', 'FAILED') then 'published_after_cancel' end,
      error_msg = case when status in ('CANCELLED', 'FAILED') then ${sentence} end,
      version = ${NEXT_VERSION}, updated_at = now()
    where id = ${post.postId} and at_uri is distinct from ${post.atUri}`);
  if (known > 0) return;
  const found = await db.maybeOne(sql`select from posts where id = ${post.postId}`);
  if (found !== null) return;
  const audit = { by: ENGINE, action: 'postPublishedAfterDelete' } as const;
  await record(db, audit, { id: post.postId, before: null, after: { at_uri: post.atUri } });
}

const ENGINE = { adminId: null, username: 'engine', requestId: null, network: null } as const;

export async function settleUnpublished(
  db: Db,
  posts: readonly Unpublished[],
  locked: Locked = 'wait',
): Promise<Unpublished[]> {
  return withoutRows(posts, await db.many(unpublishedStatement(posts, locked)));
}

export function unpublishedStatement(posts: readonly Unpublished[], locked: Locked = 'wait') {
  const calls = posts.filter((post) => post.call !== null);
  return sql`
    with f as materialized (
      select * from unnest(
        ${posts.map((post) => post.postId)}::uuid[], ${posts.map((post) => post.attempt)}::integer[],
        ${posts.map((post) => post.status)}::text[], ${posts.map(waitOf)}::float8[],
        ${posts.map((post) => post.next === 'planned')}::boolean[],
        ${posts.map((post) => post.hold)}::text[], ${posts.map((post) => post.cause)}::text[],
        ${posts.map((post) => post.sentence)}::text[], ${posts.map((post) => post.outcome)}::text[],
        ${posts.map((post) => post.isUnsent)}::boolean[]
      ) as f (id, attempt, status, wait_ms, is_planned, hold, cause, sentence, outcome, is_unsent)),
    -- The lock keeps another worker from claiming the post while its journal entry is removed.
    ours as materialized (
      select f.*, p.status = 'PROCESSING' as is_processing from f join posts p on p.id = f.id
      where p.attempt = f.attempt ${lockClause(locked)}),
    dropped as (
      delete from deliveries d using ours
      where d.post_id = ours.id and ours.is_unsent and d.unsent_through = ours.attempt - 1
        and (ours.status = 'PENDING' or not ours.is_processing)),
    journalled as (
      update deliveries d set outcome = ours.outcome,
        settled_at = case when ours.outcome is null then null else now() end,
        unsent_through = case when ours.is_unsent and d.unsent_through = ours.attempt - 1
                              then ours.attempt else d.unsent_through end
      from ours where d.post_id = ours.id and ours.status <> 'PENDING'),
    -- A deleted post keeps no attempts: what its host wrote may hold its text.
    attempts as (
      insert into delivery_attempts
      select c.id, c.attempt, to_timestamp(c.started_ms / 1000), to_timestamp(c.ended_ms / 1000), c.host,
        c.http_status, c.error, c.cause, c.worker
      from unnest(
        ${calls.map((post) => post.postId)}::uuid[], ${calls.map((post) => post.attempt)}::integer[],
        ${calls.map((post) => post.call?.startedAt)}::float8[],
        ${calls.map((post) => post.call?.endedAt)}::float8[],
        ${calls.map((post) => post.call?.host)}::text[],
        ${calls.map((post) => post.call?.httpStatus)}::integer[],
        ${calls.map((post) => post.call?.error.slice(0, 1000))}::text[],
        ${calls.map((post) => post.cause ?? 'internal')}::text[],
        ${calls.map((post) => post.call?.worker)}::text[]
      ) as c (id, attempt, started_ms, ended_ms, host, http_status, error, cause, worker)
      join ours on ours.id = c.id
      on conflict (post_id, attempt) do nothing)
    update posts p set status = f.status,
      claim_at = case when f.is_planned then first_claim_at(p.scheduled_at, p.embed, p.reply_to, p.thread)
                      when f.wait_ms is not null then now() + f.wait_ms * interval '1 millisecond'
                      when f.status <> 'FAILED' then 'infinity' end,
      -- A turn is not for a post that was rescheduled meanwhile.
      hold = case when not f.is_planned or p.scheduled_at <= now() then f.hold end,
      cause = f.cause, error_msg = coalesce(f.sentence, p.error_msg),
      version = case when f.status <> p.status then ${NEXT_VERSION} else p.version end,
      updated_at = case when f.status <> p.status then now() else p.updated_at end
    from ours f where p.id = f.id and f.is_processing returning p.id`;
}

function waitOf({ next }: Unpublished): number | null {
  return typeof next === 'object' ? Math.round(next.inMs) : null;
}

// It waits for no lock: a post that is being settled needs no lease,
// and two statements that wait for each other's posts would deadlock.
export async function renewLeases(
  db: Db,
  posts: readonly { id: string; attempt: number }[],
  leaseMs: number,
): Promise<void> {
  await db.execute(renewStatement(posts, leaseMs));
}

export function renewStatement(posts: readonly { id: string; attempt: number }[], leaseMs: number) {
  return sql`
    with ours as materialized (
      select p.id
      from unnest(${posts.map(({ id }) => id)}::uuid[], ${posts.map(({ attempt }) => attempt)}::integer[])
        as f (id, attempt) join posts p on ${STILL_OURS}
      for no key update of p skip locked)
    update posts p set claim_at = now() + ${leaseMs} * interval '1 millisecond'
    from ours where p.id = ours.id`;
}

type Reason = { hold?: Hold; cause?: Cause; facts?: CauseFacts; call?: FailedCall | undefined };
type Refusal = Pick<Unpublished, 'status' | 'next' | 'outcome' | 'isUnsent'> & Reason;

function unpublished({ id: postId, attempt }: ClaimedPost, refusal: Refusal): Unpublished {
  const { status, next, outcome, isUnsent, hold = null, cause = null, call = null } = refusal;
  const sentence = cause === null ? null : operatorSentence(cause, refusal.facts);
  return { postId, attempt, status, next, outcome, isUnsent, hold, cause, sentence, call };
}

export function afterStep(
  post: ClaimedPost,
  step: Extract<Step, { kind: 'retry' | 'hold' | 'fail' }>,
  about: { isUnsent: boolean; call?: FailedCall | undefined; now: number },
): Unpublished {
  const { isUnsent, now } = about;
  const outcome = null;
  if (step.kind === 'fail') {
    return unpublished(post, { status: 'FAILED', next: 'never', ...about, ...step });
  }
  if (step.kind === 'retry') {
    const next = { inMs: Math.max(0, step.at - now) };
    return unpublished(post, { status: 'PROCESSING', next, outcome, ...about, ...step });
  }
  const status = isUnsent && post.wasPending ? 'PENDING' : 'PROCESSING';
  return unpublished(post, { status, next: 'never', outcome, ...about, ...step });
}

/** The post becomes PENDING again, unless an earlier attempt may have reached the host. */
export function retryIn(
  post: ClaimedPost,
  entry: Journalled | null,
  inMs: number,
  reason: Reason,
): Unpublished {
  const isUnsent = entry?.maybeSent !== true;
  const status = post.wasPending && isUnsent ? 'PENDING' : 'PROCESSING';
  return unpublished(post, { status, next: { inMs }, outcome: null, isUnsent, ...reason });
}

const BY_HOST = {
  host_down: { cause: 'host_down', hold: 'host_down' },
  host_slow: { cause: 'host_slow', hold: 'host_down' },
  network_unreachable: { cause: 'network_unreachable', hold: 'host_down' },
  rate_limited_host: { cause: 'rate_limited_host', hold: 'rate_limited' },
  account_limited: { cause: 'rate_limited_account', hold: 'rate_limited' },
} as const;

/** Without this hold, a post past the late limit would fail although its turn had come. */
const turnOf = ({ hasTurn, wasPending }: ClaimedPost): Reason =>
  hasTurn && wasPending ? { hold: 'catch_up' } : {};

export function retryByHost(
  post: ClaimedPost,
  entry: Journalled,
  { inMs, because }: Permit & { kind: 'wait' },
  situation: Situation,
): Unpublished {
  if (because === 'busy') return retryIn(post, entry, inMs, turnOf(post));
  const { now } = situation;
  const { cause, hold } = BY_HOST[because];
  const facts = { host: post.host, time: hold === 'host_down' ? null : new Date(now + inMs) };
  const reason = { cause, facts } as const;
  // Past its deadline it would wait for as long as the host is down.
  const step = decide({ kind: 'wait', until: now + inMs, ...reason }, situation);
  if (step.kind === 'fail') return afterStep(post, step, { isUnsent: !entry.maybeSent, now });
  const at = step.kind === 'retry' ? step.at : now + inMs;
  return retryIn(post, entry, at - now, { hold, ...reason });
}

export function release(post: ClaimedPost, entry: Journalled): Unpublished {
  const isUnsent = !entry.maybeSent;
  const turn = turnOf(post);
  return isUnsent && post.wasPending
    ? unpublished(post, { status: 'PENDING', next: 'planned', outcome: null, isUnsent, ...turn })
    : retryIn(post, entry, 0, {});
}

export function failTooLate(post: ClaimedPost, lateLimitMs: number, now: number): Unpublished {
  const facts = lateFacts(post.scheduledAt.getTime(), now, lateLimitMs);
  const step = { kind: 'fail', outcome: 'refused', cause: 'too_late', facts } as const;
  const failed = afterStep(post, step, { isUnsent: true, now });
  return post.tooLate === 'plan' ? { ...failed, sentence: SUSPENSION_MESSAGES.tooLate } : failed;
}
