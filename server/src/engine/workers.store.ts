import type { Cause } from '@meridian/contract/cause-words';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { HostState } from './lane.ts';

/**
 * Another one after a restore or a failover: the cluster's own identifier, its timeline, which a standby that
 * takes over and a restore to a point in time raise, and the table's, which a restored dump makes anew.
 */
export const DATABASE_IDENTITY = sql`concat_ws('/', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), 'engine_database'::regclass::oid)`;

export type Heartbeat = {
  id: string;
  egress: string;
  version: string;
  network: string;
  isStopping: boolean;
  /** Null while its clock is right. A worker with a wrong clock claims nothing, and is not counted. */
  clockOffMs: number | null;
  claimed: number;
  published: number;
  lastMinute: LastMinute;
};

/** What a worker published in the last 60 seconds. */
export type LastMinute = {
  published: number;
  latenessMs: { p50: number; p95: number; p99: number; max: number } | null;
};

/** A worker that has not been seen for this long counts as gone. */
const WORKER_GONE = sql`interval '15 seconds'`;
/** The condition on a row of `engine_workers`: a worker whose clock is wrong says so in `last_minute`. */
export const IS_CLOCK_RIGHT = sql`not last_minute ? 'clockOffMs'`;

export type Neighbours = {
  /** How many workers share its egress address. */
  sharing: number;
  nowMs: number;
  /** Whether deleted posts are to be looked at. */
  hasDeleted: boolean;
  /** The database was restored, or another one took over, since an engine last reported. */
  isRestored: boolean;
};

/** Reports this worker, and tells what all of them have to know. */
export async function beat(db: Db, worker: Heartbeat): Promise<Neighbours> {
  const { clockOffMs } = worker;
  return db.one<Neighbours>(sql`
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
      1 + (select count(*)::integer from engine_workers
           where egress = ${worker.egress} and id <> ${worker.id} and not is_stopping
             and ${IS_CLOCK_RIGHT} and seen_at > now() - ${WORKER_GONE}) as sharing,
      exists (select from deliveries where look_at <= now()) as "hasDeleted",
      exists (select from here where restored_at is not null) as "isRestored"`);
}

/** Removes this worker, and others that ended without doing so. */
export async function leave(db: Db, id: string): Promise<void> {
  await db.execute(sql`
    delete from engine_workers where id = ${id} or seen_at < now() - interval '1 day'`);
  await db.execute(sql`delete from catch_up where next_at < now() - interval '1 day'`);
}

export type HostView = {
  host: string;
  state: HostState;
  cause: Cause | null;
  since: number;
  retryAt: number | null;
  lastOkAt: number | null;
};

/** Milliseconds of the database's clock become timestamps. */
export async function saveHosts(db: Db, hosts: readonly HostView[]): Promise<void> {
  await db.execute(sql`
    insert into hosts as h (host, state, state_since, retry_at, cause, last_ok_at)
    select host, state, to_timestamp(since / 1000), to_timestamp(retry_ms / 1000), cause,
      to_timestamp(ok_ms / 1000)
    from unnest(${hosts.map(({ host }) => host)}::text[], ${hosts.map(({ state }) => state)}::text[],
                ${hosts.map(({ since }) => since)}::float8[], ${hosts.map(({ retryAt }) => retryAt)}::float8[],
                ${hosts.map(({ lastOkAt }) => lastOkAt)}::float8[], ${hosts.map(({ cause }) => cause)}::text[])
      as v (host, state, since, retry_ms, ok_ms, cause)
    order by host
    on conflict (host) do update set state = excluded.state,
      -- Each worker knows it since its own first call.
      state_since = case when h.state = excluded.state then h.state_since else excluded.state_since end,
      retry_at = excluded.retry_at, cause = excluded.cause, last_ok_at = greatest(h.last_ok_at, excluded.last_ok_at)`);
}
