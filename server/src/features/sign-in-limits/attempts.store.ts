import { createHash } from 'node:crypto';
import { AUDIT_ACTIONS } from '@meridian/contract/audit';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

type Backoff =
  /** The wait is 1, 2, 4 … seconds, at most fifteen minutes. */
  | 'exponential'
  | 'fixed'
  /** The wait lasts until the window is over. */
  | 'rest-of-window'
  | 'until-cleared';

/** Only hashes of both are stored. */
type BucketKey = { subject: string; purpose: string };

export type Bucket = BucketKey & {
  limit: number;
  windowSeconds: number;
  backoff: Backoff;
  closesAt?: number;
};

export type CountedAttempt = {
  readonly bucket: Bucket;
  readonly startedAt: string;
  readonly blockedUntil: string | null;
};

export type Refusal = {
  readonly counted: null;
  readonly waitSeconds: number;
  readonly isFirst: boolean;
};

type Reserved = { readonly counted: CountedAttempt } | Refusal;

const MAX_BUCKETS = 100_000;
const HALF_KEY = 16;

// The text keeps a timestamp without loss, whatever the DateStyle of the connection.
const instant = (column: Sql) => sql`extract(epoch from ${column})::text`;

/** One statement counts before the password is verified, so that parallel attempts cannot pass the limit. */
export async function reserveAttempt(db: Db, bucket: Bucket): Promise<Reserved> {
  const window = sql`make_interval(secs => ${bucket.windowSeconds})`;
  const isOver = sql`b.started_at < now() - ${window}`;
  const isBlocked = sql`coalesce(b.blocked_until > now(), false) and not (${isOver})`;
  const attempts = sql`case when ${isOver} then 1 else b.attempts + 1 end`;
  const row = await db.one<{
    allowed: boolean;
    refusals: number;
    startedAt: string;
    blockedUntil: string | null;
    wait: number;
  }>(sql`
    insert into attempt_buckets as b (key, attempts, started_at, blocked_until, allowed, updated_at)
    values (${storedKey(bucket)}, 1, now(), ${blockedUntil(bucket, sql`1`, sql`now()`)}, true, now())
    on conflict (key) do update set
      allowed = not (${isBlocked}),
      refusals = case when ${isBlocked} then b.refusals + 1 else 0 end,
      attempts = case when ${isBlocked} then b.attempts else ${attempts} end,
      started_at = case when ${isOver} then now() else b.started_at end,
      blocked_until = case when ${isBlocked} then b.blocked_until
        else ${blockedUntil(bucket, attempts, sql`case when ${isOver} then now() else b.started_at end`)} end,
      updated_at = now()
    returning allowed, refusals,
      ${instant(sql`started_at`)} as "startedAt", ${instant(sql`blocked_until`)} as "blockedUntil",
      ceil(extract(epoch from least(blocked_until, now() + interval '1 hour') - now()))::int as wait`);
  const { allowed, refusals, wait, ...counted } = row;
  if (allowed) return { counted: { bucket, ...counted } };
  return { counted: null, waitSeconds: Math.max(1, wait), isFirst: refusals === 1 };
}

/** The wait of a later attempt stays; the last refund deletes the row, so that refused names leave none. */
export async function refundAttempt(db: Db, counted: CountedAttempt): Promise<void> {
  const { bucket, startedAt, blockedUntil: ownWait } = counted;
  const isOtherWait = sql`${instant(sql`b.blocked_until`)} is distinct from ${ownWait}`;
  await db.execute(sql`
    merge into attempt_buckets b
    using (select ${storedKey(bucket)}::bytea as key) as counted
    on b.key = counted.key and ${instant(sql`b.started_at`)} = ${startedAt}
    when matched and b.attempts <= 1 then delete
    when matched then update set
      attempts = b.attempts - 1,
      blocked_until = case when b.attempts - 1 >= ${bucket.limit}::int and ${isOtherWait}
        then b.blocked_until end`);
}

function blockedUntil(
  { limit, windowSeconds, backoff, closesAt }: Bucket,
  attempts: Sql,
  startedAt: Sql,
): Sql {
  const ends: Record<Backoff, Sql> = {
    exponential: sql`now() + make_interval(secs => least(power(2, least(${attempts} - ${limit}::int, 20)), 900))`,
    fixed: sql`now() + interval '30 seconds'`,
    'rest-of-window': sql`${startedAt} + make_interval(secs => ${windowSeconds})`,
    'until-cleared': sql`timestamptz 'infinity'`,
  };
  return sql`case
    when ${attempts} >= ${closesAt ?? null}::int then ${ends['until-cleared']}
    when ${attempts} >= ${limit}::int then ${ends[backoff]} end`;
}

export async function clearBuckets(db: Db, keys: readonly BucketKey[]): Promise<void> {
  await db.execute(
    sql`delete from attempt_buckets where key = any(${keys.map(storedKey)}::bytea[])`,
  );
}

export async function clearBucketsOf(db: Db, subjects: readonly string[]): Promise<void> {
  await db.execute(sql`
    delete from attempt_buckets
    where substring(key for ${HALF_KEY}::int) = any(${subjects.map(halfKey)}::bytea[])`);
}

/** A flood of invented names must not fill the disk. */
export async function deleteOldBuckets(db: Db, max = MAX_BUCKETS): Promise<void> {
  await db.execute(sql`
    delete from attempt_buckets
    where updated_at < now() - interval '1 day'
      and blocked_until is distinct from 'infinity'`);
  await db.execute(sql`
    delete from attempt_buckets
    where updated_at <= (
      select updated_at from attempt_buckets
      order by updated_at desc offset ${sql.whole(max)} limit 1)`);
}

function storedKey({ subject, purpose }: BucketKey): Buffer {
  return Buffer.concat([halfKey(subject), halfKey(purpose)]);
}

function halfKey(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, HALF_KEY);
}

export type NameAndNetwork = { name: string; network: string };

const isRecent = sql`n.last_login_at > now() - interval '30 days'`;

export async function isKnownNetwork(db: Db, { name, network }: NameAndNetwork): Promise<boolean> {
  const row = await db.one<{ known: boolean }>(sql`
    select exists (
      select from admin_networks n join admins a on a.id = n.admin_id
      where a.username = ${name} and n.network = ${network} and ${isRecent}) as known`);
  return row.known;
}

export async function listKnownNetworks(db: Db, limit: number): Promise<NameAndNetwork[]> {
  return db.many<NameAndNetwork>(sql`
    select a.username as name, n.network from admin_networks n join admins a on a.id = n.admin_id
    where ${isRecent} order by n.last_login_at desc limit ${limit}`);
}

export async function rememberNetwork(db: Db, { name, network }: NameAndNetwork): Promise<void> {
  await db.execute(sql`
    insert into admin_networks (admin_id, network, last_login_at)
    select id, ${network}, now() from admins where username = ${name}
    on conflict (admin_id, network) do update set last_login_at = now()`);
}

export type SignInFailure = {
  action: 'authLoginFailed' | 'authThrottled';
  admin: { id: string; username: string } | null;
  requestId: string;
  network: string;
};

/** Further failed sign-ins of an administrator within the hour are only counted. */
export const ENTRIES_PER_HOUR = 60;
const MAX_ROWS = 10_000;

/**
 * Invented names get no entry, else the log would grow without limit; all names cost the same statement.
 * The audit entry comes last, as it locks the hash chain.
 */
export async function recordFailure(db: Db, failure: SignInFailure): Promise<void> {
  const { action, admin, requestId, network } = failure;
  const isThrottled = action === 'authThrottled';
  await db.execute(sql`
    with counted as (
      insert into sign_in_failures as f
        (day, network, failures, unknown_names, throttled, first_at, last_at)
      values ((now() at time zone 'UTC')::date, ${network}, ${isThrottled ? 0 : 1}::int,
              ${isThrottled || admin !== null ? 0 : 1}::int, ${isThrottled ? 1 : 0}::int, now(), now())
      on conflict (day, network) do update set
        failures = f.failures + excluded.failures,
        unknown_names = f.unknown_names + excluded.unknown_names,
        throttled = f.throttled + excluded.throttled,
        last_at = excluded.last_at
      returning true),
    limited as (
      insert into admin_failure_entries as e (admin_id, hour, entries)
      select ${admin?.id ?? null}::uuid, date_trunc('hour', now()), 1 from counted
      where ${admin?.id ?? null}::uuid is not null
      on conflict (admin_id) do update set
        hour = excluded.hour,
        entries = case when e.hour = excluded.hour then e.entries + 1 else 1 end
      returning entries)
    insert into audit_log (actor_name, action, entity, entity_id, request_id, network)
    select ${admin?.username ?? null}::text, ${action}::text, ${AUDIT_ACTIONS[action].entity}::text,
           ${admin?.id ?? null}::text, ${requestId}::uuid, ${network}::text
    from limited where entries <= ${ENTRIES_PER_HOUR}::int`);
}

export async function deleteOldFailures(db: Db, max = MAX_ROWS): Promise<void> {
  await db.execute(sql`
    delete from sign_in_failures
    where last_at < now() - interval '90 days'
       or last_at <= (
         select last_at from sign_in_failures
         order by last_at desc offset ${sql.whole(max)} limit 1)`);
}
