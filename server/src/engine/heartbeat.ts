import { clockDistance } from '@meridian/contract/engine';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

// The identity changes with a restore or a failover: a standby that takes over and a restore to a point in time
// raise the timeline, and a restored dump makes the table's oid anew.
export const DATABASE_IDENTITY = sql`concat_ws('/', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), 'engine_database'::regclass::oid)`;

export type Heartbeat = {
  id: string;
  egress: string;
  version: string;
  network: string;
  isStopping: boolean;
  /** A worker with a wrong clock claims nothing, and is not counted. */
  clockOffMs: number | null;
  claimed: number;
  published: number;
  lastMinute: LastMinute;
};

export type LastMinute = {
  published: number;
  latenessMs: { p50: number; p95: number; p99: number; max: number } | null;
};

const WORKER_GONE = sql`interval '15 seconds'`;
/** A worker whose clock is wrong says so in `last_minute`. */
export const IS_CLOCK_RIGHT = sql`not last_minute ? 'clockOffMs'`;

export type Share = { index: number; of: number };

type Neighbours = {
  sharing: number;
  share: Share;
  nowMs: number;
  hasDeleted: boolean;
  isRestored: boolean;
};

export async function beat(db: Db, worker: Heartbeat): Promise<Neighbours> {
  const { clockOffMs } = worker;
  const { index, of, ...neighbours } = await db.one<Omit<Neighbours, 'share'> & Share>(sql`
    with me as (
      insert into engine_workers (id, egress, version, network, is_stopping, claimed, published, last_minute)
      select ${worker.id}::text, ${worker.egress}::text, ${worker.version}::text, ${worker.network}::text,
        ${worker.isStopping}::boolean, ${worker.claimed}::bigint, ${worker.published}::bigint,
        ${sql.json({ ...worker.lastMinute, ...(clockOffMs !== null && { clockOffMs }) })}::jsonb
      on conflict (id) do update set seen_at = now(), is_stopping = excluded.is_stopping,
        claimed = excluded.claimed, published = excluded.published, last_minute = excluded.last_minute),
    here as (
      insert into engine_database as d (identity) select ${DATABASE_IDENTITY}
      where not exists (select from engine_database where identity = ${DATABASE_IDENTITY})
      on conflict (is_only) do update set identity = excluded.identity, restored_at = now()
        where d.identity <> excluded.identity
      returning d.restored_at)
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
      1 + others.here as sharing, others.before as index, 1 + others.all as of,
      exists (select from deliveries where look_at <= now()) as "hasDeleted",
      exists (select from here where restored_at is not null) as "isRestored"
    from (
      select count(*)::integer as all, count(*) filter (where id < ${worker.id})::integer as before,
        count(*) filter (where egress = ${worker.egress})::integer as here
      from engine_workers
      where id <> ${worker.id} and not is_stopping and ${IS_CLOCK_RIGHT} and seen_at > now() - ${WORKER_GONE}) as others`);
  return { ...neighbours, share: { index, of } };
}

export async function leave(db: Db, id: string): Promise<void> {
  await db.execute(sql`
    delete from engine_workers where id = ${id} or seen_at < now() - interval '1 day'`);
  await db.execute(sql`delete from catch_up where next_at < now() - interval '1 day'`);
}

const WARN_OFFSET_MS = 250;
/** Beyond this the machine's clock is wrong or jumping; times in the log and in records would lie. */
const MAX_OFFSET_MS = 5_000;
/** Clocks drift apart in the long run, so only the readings of half a minute count. */
const READINGS = 6;
/** A timer may fire up to a millisecond before its time. */
const TIMER_ERROR_MS = 1;
const MAX_TIMEOUT_MS = 60_000;

/** This goes on evenly when the machine's clock is set: nothing is sent early until the next reading. */
export const ownTime = () => performance.timeOrigin + performance.now();

export type Clock = {
  now: () => number;
  learn: (databaseMs: number, askedAt: number, receivedAt: number) => void;
  /** The distance is below zero when the machine's clock is ahead, and null unless it is too far to publish. */
  offMs: () => number | null;
  until: (moment: number, signal: AbortSignal) => Promise<void>;
};

/** The database's clock decides when a post is due and when a lease ends, on every machine. */
export function createClock(log: Logger): Clock {
  let offset = 0;
  let least: number[] = [];
  let hasWarned = false;
  let wasOff = false;
  const now = () => ownTime() + offset;
  const behindMs = () => now() - Date.now();
  const offMs = () => (Math.abs(behindMs()) > MAX_OFFSET_MS ? Math.round(behindMs()) : null);

  return {
    now,
    learn(databaseMs, askedAt, receivedAt) {
      // A reading is as old as its response took, so each gives a least offset; the greatest of them is
      // the nearest to the truth and still never early. One above the most that the newest reading
      // allows is from before a clock was set.
      const most = databaseMs - askedAt;
      least = [...least.slice(1 - READINGS), databaseMs - receivedAt].filter((ms) => ms <= most);
      offset = Math.max(...least);
      const isFar = Math.abs(behindMs()) > WARN_OFFSET_MS;
      const off = offMs();
      if (off !== null && !wasOff) {
        log.error(
          { offsetMs: off },
          `The clock of this machine is ${clockDistance(off)} that of the database: this engine publishes nothing until it is set`,
        );
      } else if (isFar && !hasWarned) {
        log.warn({ offsetMs: Math.round(behindMs()) }, 'The clocks of engine and database differ');
      }
      hasWarned = isFar;
      wasOff = off !== null;
    },
    offMs,
    async until(moment, signal) {
      // The time is read once per round: by a second reading the moment may have passed.
      for (let leftMs = moment - now(); leftMs > 0 && !signal.aborted; leftMs = moment - now()) {
        await pause(Math.min(leftMs + TIMER_ERROR_MS, MAX_TIMEOUT_MS), signal);
      }
    },
  };
}

/** The first reading waits for a connection and for a process that is still starting. */
export async function learnTime(db: Db, clock: Clock): Promise<void> {
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const askedAt = ownTime();
    const { ms } = await db.one<{ ms: number }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
    );
    clock.learn(ms, askedAt, ownTime());
  }
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

const MINUTE_MS = 60_000;
/** Beyond this many in a minute every other sample is dropped; percentiles stay close. */
const MAX_SAMPLES = 4_096;

export function createLateness(now: () => number) {
  let samples: { at: number; ms: number }[] = [];
  let times: number[] = [];

  return {
    add(ms: number | null): void {
      times.push(now());
      if (ms === null) return;
      samples.push({ at: now(), ms });
      if (samples.length > MAX_SAMPLES) samples = samples.filter((_, index) => index % 2 === 0);
    },
    lastMinute(): LastMinute {
      const from = now() - MINUTE_MS;
      times = times.filter((at) => at >= from);
      samples = samples.filter(({ at }) => at >= from);
      const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const share = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0);
      const latenessMs =
        sorted.length === 0
          ? null
          : { p50: share(0.5), p95: share(0.95), p99: share(0.99), max: share(1) };
      return { published: times.length, latenessMs };
    },
  };
}
