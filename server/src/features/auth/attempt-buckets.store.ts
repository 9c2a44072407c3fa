import { createHash } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Visitor } from './known-visitors.ts';

/** What happens once the limit is reached. */
export type Pause =
  /** Each further attempt doubles the wait, from one second to fifteen minutes. */
  | 'doubling'
  /** One attempt every half minute. */
  | 'steady'
  /** None until the window is over. */
  | 'window'
  /** None until somebody clears the bucket. */
  | 'closed';

/** Who is counted and in what respect; only hashes of both are stored. */
export type BucketKey = { who: string; what: string };

export type Bucket = BucketKey & {
  limit: number;
  windowSeconds: number;
  pause: Pause;
  /** From this many attempts on there is no other until the bucket is cleared. */
  closesAt?: number;
};

/** What an attempt was counted as, so that exactly this can be given back. */
export type Count = {
  readonly bucket: Bucket;
  /** When the window began in which it was counted: another window is another count. */
  readonly startedAt: string;
  /** The wait that this attempt began, null when it began none. */
  readonly blockedUntil: string | null;
};

export type Refusal = {
  readonly count: null;
  readonly waitSeconds: number;
  /** Of those that must wait, one is the first until another was let through. */
  readonly isFirst: boolean;
};

export type Reserved = { readonly count: Count } | Refusal;

const DAY_SECONDS = 24 * 60 * 60;
const MAX_BUCKETS = 100_000;
const HALF_KEY = 16;

// Exact, whatever the connection's ways of writing a date.
const instant = (column: Fragment) => sql`extract(epoch from ${column})::text`;

/**
 * Counts an attempt, or says how many seconds it must wait. One statement, before anything is
 * verified, so that a burst of parallel attempts cannot slip past the count.
 */
export async function reserveAttempt(db: Db, bucket: Bucket): Promise<Reserved> {
  const window = sql`make_interval(secs => ${bucket.windowSeconds})`;
  const isOver = sql`b.started_at < now() - ${window}`;
  const isBlocked = sql`coalesce(b.blocked_until > now(), false) and not (${isOver})`;
  const attempts = sql`case when ${isOver} then 1 else b.attempts + 1 end`;
  const row = await db.one<ReservedRow>(sql`
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
      ${instant(sql`started_at`)} as started_at, ${instant(sql`blocked_until`)} as blocked_until,
      ceil(extract(epoch from least(blocked_until, now() + interval '1 hour') - now()))::int as wait`);
  if (row.allowed) {
    return { count: { bucket, startedAt: row.started_at, blockedUntil: row.blocked_until } };
  }
  return { count: null, waitSeconds: Math.max(1, row.wait), isFirst: row.refusals === 1 };
}

type Fragment = ReturnType<typeof sql>;
type ReservedRow = {
  allowed: boolean;
  refusals: number;
  started_at: string;
  blocked_until: string | null;
  wait: number;
};

/**
 * As if the attempt had never been made: its wait ends as well, but not the one that a later attempt
 * began. What was cleared or began anew in the meantime is the count of others. With the last attempt
 * the row goes: else every name that was ever tried in vain would leave one.
 */
export async function giveBackAttempt(db: Db, count: Count): Promise<void> {
  const { bucket, startedAt, blockedUntil: own } = count;
  const isOfOthers = sql`${instant(sql`b.blocked_until`)} is distinct from ${own}`;
  await db.execute(sql`
    merge into attempt_buckets b
    using (select ${storedKey(bucket)}::bytea as key) as counted
    on b.key = counted.key and ${instant(sql`b.started_at`)} = ${startedAt}
    when matched and b.attempts <= 1 then delete
    when matched then update set
      attempts = b.attempts - 1,
      blocked_until = case when b.attempts - 1 >= ${bucket.limit}::int and ${isOfOthers}
        then b.blocked_until end`);
}

function blockedUntil(
  { limit, windowSeconds, pause, closesAt }: Bucket,
  attempts: Fragment,
  startedAt: Fragment,
): Fragment {
  const pauses: Record<Pause, Fragment> = {
    doubling: sql`now() + make_interval(secs => least(power(2, least(${attempts} - ${limit}::int, 20)), 900))`,
    steady: sql`now() + interval '30 seconds'`,
    window: sql`${startedAt} + make_interval(secs => ${windowSeconds})`,
    closed: sql`timestamptz 'infinity'`,
  };
  return sql`case
    when ${attempts} >= ${closesAt ?? null}::int then ${pauses.closed}
    when ${attempts} >= ${limit}::int then ${pauses[pause]} end`;
}

export async function clearBuckets(db: Db, keys: readonly BucketKey[]): Promise<void> {
  await db.execute(
    sql`delete from attempt_buckets where key = any(${keys.map(storedKey)}::bytea[])`,
  );
}

/** Forgets everything that is counted for one of these, in whatever respect. */
export async function clearAllBuckets(db: Db, whose: readonly string[]): Promise<void> {
  await db.execute(sql`
    delete from attempt_buckets
    where substring(key for ${HALF_KEY}::int) = any(${whose.map(halfKey)}::bytea[])`);
}

const isRecent = sql`n.last_login_at > now() - interval '30 days'`;

/** Whether this administrator signed in from there within the last thirty days. */
export async function isKnownNetwork(db: Db, username: string, network: string): Promise<boolean> {
  const row = await db.one<{ known: boolean }>(sql`
    select exists (
      select from admin_networks n join admins a on a.id = n.admin_id
      where a.username = ${username} and n.network = ${network} and ${isRecent}) as known`);
  return row.known;
}

/** Those who signed in last come first. */
export async function listKnownNetworks(db: Db, most: number): Promise<Visitor[]> {
  return db.many<Visitor>(sql`
    select a.username as name, n.network from admin_networks n join admins a on a.id = n.admin_id
    where ${isRecent} order by n.last_login_at desc limit ${most}`);
}

export async function rememberNetwork(db: Db, username: string, network: string): Promise<void> {
  await db.execute(sql`
    insert into admin_networks (admin_id, network, last_login_at)
    select id, ${network}, now() from admins where username = ${username}
    on conflict (admin_id, network) do update set last_login_at = now()`);
}

/**
 * Old counters mean nothing any more, and a flood of invented names must not fill the disk. Cheap
 * enough for every minute: both follow the index by age, the first to the old ones alone, the second
 * past the rows there may be, which takes some fifty milliseconds when there are that many.
 */
export async function deleteOldBuckets(db: Db, most = MAX_BUCKETS): Promise<void> {
  await db.execute(sql`
    delete from attempt_buckets
    where updated_at < now() - make_interval(secs => ${DAY_SECONDS})
      and blocked_until is distinct from 'infinity'`);
  await db.execute(sql`
    delete from attempt_buckets
    where updated_at <= (
      select updated_at from attempt_buckets
      order by updated_at desc offset ${sql.whole(most)} limit 1)`);
}

/** Half of it names who is counted, so that all that is counted for one name can be found again. */
function storedKey({ who, what }: BucketKey): Buffer {
  return Buffer.concat([halfKey(who), halfKey(what)]);
}

function halfKey(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, HALF_KEY);
}
