import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Closers } from '../server/src/background-task.ts';
import { startCounterTask } from '../server/src/counters/counters.ts';
import { SESSION_SETTINGS, databaseOn, settingStatements } from '../server/src/db/database.ts';
import { CLAIM_BATCH, claimStatement } from '../server/src/engine/claim.ts';
import { ENGINE_PLANS } from '../server/src/db/sql.ts';
import { createLog } from '../server/src/log.ts';
import { connect, FEW, writeOut } from './databases.ts';
import type { Bench, Connection } from './databases.ts';
import { countText, percentiles, ratio } from './marks.ts';
import type { Reading } from './marks.ts';
import { cpuOf, cpuOfFamily, summarise, threadCpuOf } from './measure.ts';
import { startEngineProcess, startHosts } from './publishing.ts';
import type { Hosts } from './publishing.ts';

const ENGINES = 2;
/** The distance of posts at a steady 100 a second. */
const STEADY_MS = 10;

/** Publishes a burst of posts and a steady flow, then lets an engine idle. */
export async function engine({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const { burst: posts, seconds } = sizes;
  const database = await filled(sizes.some);
  const connection = await connect(database, closers);
  const hosts = await startHosts(closers);
  await prepareAccounts(connection.client, hosts.urls);
  const stage = { database, connection, hosts, closers };
  const burst = await publish(stage, posts, 0);
  const steady = await publish(stage, (seconds * 1000) / STEADY_MS, STEADY_MS);
  const nothing = await idle(stage, seconds);
  const late = summarise(steady.lateness);
  const [many, name] = [`${countText(posts)} posts`, `${seconds} s`];
  return [
    { mark: 'burst', name: many, measured: posts / burst.seconds },
    { mark: 'burstCpu', name: many, measured: burst.postgresMs / posts },
    { mark: 'exactlyOnce', name: 'in the burst', measured: burst.wrong },
    { mark: 'steadyCpu', name, measured: steady.postgresMs / steady.lateness.length },
    { mark: 'exactlyOnce', name: 'at 100 a second', measured: steady.wrong },
    { mark: 'lateMedian', name, measured: late.p50, basis: percentiles(late) },
    { mark: 'lateTail', name, measured: late.p99, basis: percentiles(late) },
    { mark: 'idleCpu', name, measured: nothing.percent },
    { mark: 'idleQueries', name, measured: nothing.queries },
  ];
}

/** A database, and hosts to which engines publish its posts. */
type Stage = { database: string; connection: Connection; hosts: Hosts; closers: Closers };

/** The engine claims ahead, so CPU counts from before the first post is due. */
const LOOK_AHEAD_MS = 2_000;
const POLL_MS = 500;
/** A lease and a retry take less: posts that have not arrived after such a silence are lost. */
const PATIENCE_MS = 60_000;

const SETTLED = `
  select not exists (select from posts where status = 'PROCESSING')
     and not exists (select from posts where claim_at <= now())
     and not exists (select from counter_deltas) as settled`;

/** Lets engines publish posts, from before they are due until all are settled and counted. */
async function publish(stage: Stage, posts: number, stepMs: number) {
  const { database, hosts, closers } = stage;
  const { client, first, pid } = stage.connection;
  const starting = Array.from({ length: ENGINES }, () => startEngineProcess(database, closers));
  const engines = await Promise.all(starting);
  const received = hosts.begin();
  const startAt = await insertDuePosts(client, posts, stepMs);
  const counters = startCounterTask(databaseOn(client), createLog('warn'));
  await delay(startAt - LOOK_AHEAD_MS - Date.now());
  const cpuBefore = await cpuOfFamily(pid);
  let [known, changedAt] = [0, startAt];
  while (known < posts && Date.now() < changedAt + PATIENCE_MS) {
    await delay(POLL_MS);
    if (received.arrivals.size > known) changedAt = Math.max(startAt, Date.now());
    known = received.arrivals.size;
  }
  while (!(await first<{ settled: boolean }>(SETTLED)).settled) await delay(POLL_MS);
  const postgresMs = (await cpuOfFamily(pid)) - cpuBefore;
  await counters.stop();
  for (const { stop } of engines) await stop();
  const { arrivals, duplicates } = received;
  const lateness = [...arrivals].map(([number, { at }]) => at - startAt - number * stepMs);
  const last = [...arrivals.values()].reduce((most, { at }) => Math.max(most, at), startAt);
  const early = lateness.filter((ms) => ms < 0).length;
  const wrong = duplicates + early + posts - arrivals.size;
  return { seconds: (last - startAt) / 1000, lateness, wrong, postgresMs };
}

/** The CPU and the queries of one engine while nothing is due, once its start is over. */
async function idle({ database, connection, closers }: Stage, seconds: number) {
  const { pid, stop } = await startEngineProcess(database, closers);
  const usage = async () => {
    const { queries } = await connection.first<{ queries: number }>(`
      select (xact_commit + xact_rollback)::float8 as queries from pg_stat_database
      where datname = current_database()`);
    return { cpuMs: (await cpuOf(pid)).own, queries };
  };
  await delay(5_000);
  const before = await usage();
  await delay(seconds * 1000);
  const after = await usage();
  await stop();
  return {
    percent: (after.cpuMs - before.cpuMs) / seconds / 10,
    // The query that reads their number is one of them.
    queries: (after.queries - before.queries - 1) / seconds,
  };
}

/** Gives every user an account on one of the hosts, and leaves no post that would be due by itself. */
async function prepareAccounts(client: Client, hosts: readonly string[]): Promise<void> {
  await client.query(
    `update posts set status = 'CANCELLED', claim_at = null where claim_at < 'infinity'`,
  );
  // The trigger would look for held posts of each user.
  await client.query('alter table accounts disable trigger accounts_switch');
  await client.query(
    `insert into accounts (user_id, host)
     select id, ($1::text[])[1 + row_number() over () % cardinality($1::text[])] from users
     on conflict (user_id) do update set host = excluded.host`,
    [hosts],
  );
  await client.query('alter table accounts enable trigger accounts_switch');
}

/** Posts are inserted so long before the first of them is due, and 500 ms more for each thousand. */
const LEAD_MS = 10_000;

/** Inserts posts that become due from a moment on, and returns that moment. */
async function insertDuePosts(client: Client, posts: number, stepMs: number): Promise<number> {
  const startAt = Date.now() + LEAD_MS + posts / 2;
  await client.query(INSERT, [posts, startAt, stepMs]);
  if (Date.now() > startAt - LOOK_AHEAD_MS) throw new Error('Inserting the posts took too long');
  return startAt;
}

/**
 * Ids in order of time, as the product makes them (UUIDv7). Users in turn, only those who may publish, and
 * far apart in the index of users, as people are whose posts are due together: neighbours share its
 * pages, more of them in a small database, which would then count as the cheaper one.
 */
const INSERT = `
  with authors as (
    select id, row_number() over (order by id) - 1 as n from users u where user_may_publish(u))
  insert into posts (id, user_id, content, languages, status, scheduled_at, claim_at)
  select (substr(id.ms, 1, 8) || '-' || substr(id.ms, 9) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
    a.id, 'bench ' || post.n, '{en}', 'PENDING', due.at, due.at
  from generate_series(0, $1::integer - 1) as post (n)
  join authors a on a.n = post.n::bigint * 7919 % (select count(*) from authors),
  lateral (select lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') as ms
           from (select post.n) as each_post) as id,
  lateral (select to_timestamp(($2::float8 + post.n * $3::float8) / 1000) as at) as due`;

const HOUR = 3_600_000;
const CLAIM = { lookaheadMs: HOUR, leaseMs: HOUR, lateLimitMs: HOUR, defaultHost: null };
const CLAIMS = 30;
/** Claims that settle plans and fill caches, and do not count. */
const WARM_UP = 5;

/** Compares PostgreSQL's CPU for the claim of a full batch; CPU leaves out the waiting of a busy machine. */
export async function claims({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const many = await claimant(await filled(sizes.many), closers);
  const few = await claimant(await filled(FEW), closers);
  for (let round = -WARM_UP; round < CLAIMS; round += 1) {
    for (const { connection, samples } of [few, many]) {
      const before = await threadCpuOf(connection.pid);
      const posts = await databaseOn(connection.client).many(claimStatement(CLAIM));
      if (posts.length !== CLAIM_BATCH) throw new Error(`A claim found ${posts.length} posts`);
      if (round >= 0) samples.push((await threadCpuOf(connection.pid)) - before);
    }
  }
  const name = `among ${countText(sizes.many)} posts`;
  return [ratio('claim', name, summarise(many.samples), summarise(few.samples))];
}

async function claimant(connectionString: string, closers: Closers) {
  const connection = await connect(connectionString, closers);
  const { client } = connection;
  await prepareAccounts(client, ['http://127.0.0.1:9']);
  // Cancelled posts leave holes, most in the large database: due posts would lie in them one by one
  // there, and side by side in the small one.
  await client.query('vacuum (full, analyze) posts');
  await insertDuePosts(client, (CLAIMS + WARM_UP) * CLAIM_BATCH, 1);
  await client.query('vacuum (analyze) posts');
  await writeOut(connectionString);
  await client.query(settingStatements({ ...SESSION_SETTINGS, ...ENGINE_PLANS }));
  return { connection, samples: [] as number[] };
}
