import { CAUSES, HOLDS, isCause, isHold, operatorSentence } from '@meridian/contract/causes';
import type { CauseFacts } from '@meridian/contract/causes';
import {
  ENGINE_COUNT_MAX,
  WORKER_ALIVE_SECONDS,
  deliveryGet,
  engineGet,
} from '@meridian/contract/engine';
import type {
  Delivery,
  DeliveryReason,
  EngineHost,
  EngineState,
  EngineWorker,
  Suspension,
} from '@meridian/contract/engine';
import type { FastifyInstance } from 'fastify';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid, register } from '../../http/register.ts';
import type { RecordWrite } from '../../network/network.ts';
import { CLAIM_IS_NEAR, IS_OVERDUE } from '../posts/posts-filtered.store.ts';

type Services = {
  engine: ReturnType<typeof createEngineService>;
  deliveries: ReturnType<typeof createDeliveriesService>;
};

export function engineRoutes(app: FastifyInstance, { engine, deliveries }: Services): void {
  register(app, engineGet, () => engine.get());

  register(app, deliveryGet, async ({ params }) => ({ delivery: await deliveries.get(params.id) }));
}

type EngineOptions = ClaimRules & { isNetworkOff: boolean };

export function createEngineService(db: Database, options: EngineOptions) {
  const { lateLimitMinutes, isNetworkOff } = options;

  async function condition() {
    const service = await readService(db);
    const workers = await listWorkers(db);
    const alive = workers.filter(({ isAlive, clockOffMs }) => isAlive && clockOffMs === null);
    const seen = workers.map(({ seenAt }) => seenAt).toSorted();
    return {
      ...service,
      isAlive: alive.length > 0,
      // A worker that stops cleanly takes its row with it.
      isExpected: !isNetworkOff || workers.length > 0,
      lastSeenAt: seen.at(-1) ?? null,
      network: alive[0]?.network ?? null,
      workers: workers.map(workerOf),
      lastMinute: lastMinuteOf(alive.map(({ lastMinute }) => lastMinute)),
    };
  }

  return {
    condition,

    async get(): Promise<EngineState> {
      // These run one after the other: a call that every open console polls must not take half of the pool.
      const state = await condition();
      const waiting = await readWaiting(db, options);
      const held = await countHeld(db);
      const hosts = await listHosts(db);
      const nextHour = await countNextHour(db);
      return {
        ...state,
        lateLimitMinutes,
        waiting,
        held: held.map(({ hold, count }) => ({ hold, sentence: sentenceOfHold(hold), count })),
        hosts: hosts.map(hostOf),
        nextHour,
      };
    },
  };
}

type Minute = {
  published?: number;
  latenessMs?: { p50: number; p95?: number; p99: number; max: number } | null;
};

function workerOf(row: WorkerRow): EngineWorker {
  return { ...row, lastMinute: lastMinuteOf([row.lastMinute]) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

/** Percentiles cannot be added up: the middle is weighted, the end is that of the slowest. */
function lastMinuteOf(minutes: readonly Minute[]): EngineState['lastMinute'] {
  const published = sum(minutes.map((minute) => minute.published ?? 0));
  const measured = minutes.flatMap(({ published, latenessMs }) =>
    published && latenessMs ? [{ published, ...latenessMs }] : [],
  );
  if (measured.length === 0) return { published, lateness: null };
  const p95s = measured.flatMap(({ p95 }) => p95 ?? []);
  const weighted = sum(measured.map(({ published, p50 }) => published * p50));
  return {
    published,
    lateness: {
      p50Ms: weighted / sum(measured.map(({ published }) => published)),
      ...(p95s.length > 0 && { p95Ms: Math.max(...p95s) }),
      p99Ms: Math.max(...measured.map(({ p99 }) => p99)),
      maxMs: Math.max(...measured.map(({ max }) => max)),
    },
  };
}

export function sentenceOfHold(hold: string): string {
  return isHold(hold) ? HOLDS[hold] : hold;
}

function hostOf(row: EngineHost): EngineHost {
  const { host, cause, since, retryAt } = row;
  if (cause === null || !isCause(cause)) return row;
  const time = cause === 'host_down' ? since : retryAt;
  return { ...row, cause: operatorSentence(cause, { host, time: time && new Date(time) }) };
}

export function createDeliveriesService(db: Database) {
  return {
    async get(postId: string): Promise<Delivery> {
      const [row, attempts] = isUuid(postId)
        ? await Promise.all([findDelivery(db, postId), listAttempts(db, postId)])
        : [null, []];
      if (row === null) throw new AppError('post_not_found');
      return deliveryOf(row, attempts);
    },
  };
}

function deliveryOf(row: DeliveryRow, attempts: readonly AttemptRow[]): Delivery {
  const { did, writes, errorMessage, hold, cause, ...delivery } = row;
  return {
    ...delivery,
    hold: hold === null ? null : { word: hold, sentence: sentenceOfHold(hold), advice: null },
    cause: cause === null ? null : reasonOf(cause, { host: row.host }, errorMessage),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      cause: reasonOf(attempt.cause, { host: attempt.host, reason: attempt.error }),
    })),
    records: (writes ?? []).map(({ rkey, cid }) => ({
      rkey,
      cid,
      uri: `at://${did}/app.bsky.feed.post/${rkey}`,
    })),
  };
}

function reasonOf(word: string, facts: CauseFacts, written: string | null = null): DeliveryReason {
  if (!isCause(word)) return { word, sentence: written ?? word, advice: null };
  return {
    word,
    sentence: written ?? operatorSentence(word, facts),
    advice: CAUSES[word].advice,
  };
}

const ROWS_MAX = sql.whole(100);
const COUNTED_MAX = sql.whole(ENGINE_COUNT_MAX);
const HOUR_MAX = sql.whole(250_000);

type ServiceState = Pick<EngineState, 'isSuspended' | 'suspendedAt' | 'suspension'>;

async function readService(db: Db): Promise<ServiceState> {
  const { isSuspended, suspendedAt, ...suspension } = await db.one<ServiceState & Suspension>(sql`
    select is_service_suspended as "isSuspended",
           case when is_service_suspended then suspended_at end as "suspendedAt",
           suspended_by as by, suspension_reason as reason, expected_end_at as "expectedEndAt",
           notice as "noticeForPeople"
    from service_settings`);
  return { isSuspended, suspendedAt, suspension: isSuspended ? suspension : null };
}

type WorkerRow = Omit<EngineWorker, 'lastMinute'> & { lastMinute: Minute };

export async function listWorkers(db: Db): Promise<WorkerRow[]> {
  return db.many<WorkerRow>(sql`
    select id, version, network, started_at as "startedAt", seen_at as "seenAt",
      seen_at > now() - make_interval(secs => ${WORKER_ALIVE_SECONDS}) as "isAlive",
      is_stopping as "isStopping", (last_minute ->> 'clockOffMs')::float8 as "clockOffMs",
      claimed, published, last_minute as "lastMinute"
    from engine_workers order by "isAlive" desc, started_at, id limit ${ROWS_MAX}`);
}

export type ClaimRules = { lateLimitMinutes: number; needsAccount: boolean };

export const mayPublish = (
  userId: Sql,
  { needsAccount }: Pick<ClaimRules, 'needsAccount'>,
) => sql`exists (
  select from users u left join accounts a on a.user_id = u.id
  where u.id = ${userId} and publishing_hold(u, a, ${needsAccount ? null : ''}::text) is null)`;

/** The next claim fails posts that are too late, but holds those of users who may not publish. */
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

export async function countHeld(db: Db): Promise<{ hold: string; count: number }[]> {
  return db.many(sql`
    select hold, count(*)::integer as count
    from (select hold from posts where hold is not null limit ${COUNTED_MAX}) as held
    group by hold order by count desc, hold`);
}

/** Posts that wait for a host probe it every few minutes; without any, its last state says nothing of now. */
export const IS_FORGOTTEN = sql`(state in ('DOWN', 'LIMITED')
  and coalesce(retry_at, state_since) < now() - interval '15 minutes')`;

export async function listHosts(db: Db): Promise<EngineHost[]> {
  return db.many<EngineHost>(sql`
    select host, state, state_since as since, cause, last_ok_at as "lastOkAt",
      -- Once it has passed, the next call is that of the next post.
      case when retry_at > now() then retry_at end as "retryAt"
    from hosts where not ${IS_FORGOTTEN} order by state = 'OPEN', host limit ${ROWS_MAX}`);
}

/** The index alone is read, so posts on the wire, or tried again within the hour, count too. */
export async function countNextHour(db: Db): Promise<EngineState['nextHour']> {
  return db.many(sql`
    select date_trunc('minute', claim_at) as at, count(*)::integer as count from (
      select claim_at from posts where claim_at > now() and claim_at <= now() + interval '1 hour'
      order by claim_at limit ${HOUR_MAX}) as due
    group by at order by at`);
}

type DeliveryRow = Omit<Delivery, 'hold' | 'cause' | 'attempts' | 'records'> & {
  hold: string | null;
  cause: string | null;
  errorMessage: string | null;
  did: string | null;
  writes: Pick<RecordWrite, 'rkey' | 'cid'>[] | null;
};

/** The journal is not written again for a post published at the first attempt: its own row confirms it. */
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

const ATTEMPTS_MAX = sql.whole(50);

type AttemptRow = Omit<Delivery['attempts'][number], 'cause'> & { cause: string };

export async function listAttempts(db: Db, postId: string): Promise<AttemptRow[]> {
  return db.many<AttemptRow>(sql`
    select attempt as number, started_at as "startedAt", ended_at as "endedAt", host,
      http_status as status, error, cause
    from delivery_attempts where post_id = ${postId}
    order by attempt desc limit ${ATTEMPTS_MAX}`);
}
