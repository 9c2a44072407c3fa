import type { Client } from 'pg';
import { postText } from './post-text.ts';

export type DuePosts = {
  run: string;
  posts: number;
  /** From one post to the next; 0: all at one instant. */
  stepMs: number;
  /** Whether a job for graphile-worker, whose schema is there already, is queued for each. */
  hasJobs: boolean;
};

/** Before the first one is due, workers have to be ready. */
const LEAD_MS = 8_000;

/** Gives every user an account on one of the hosts, and leaves no post that would be due by itself. */
export async function prepareAccounts(client: Client, hosts: readonly string[]): Promise<void> {
  // With its claim: the engine would look after those that a worker had claimed.
  await client.query(
    `update posts set status = 'CANCELLED', claim_at = null where claim_at < 'infinity'`,
  );
  // It would look for held posts of each user.
  await client.query('alter table accounts disable trigger accounts_switch');
  await client.query(
    `insert into accounts (user_id, host)
     select id, ($1::text[])[1 + row_number() over () % cardinality($1::text[])] from users
     on conflict (user_id) do update set host = excluded.host`,
    [hosts],
  );
  await client.query('alter table accounts enable trigger accounts_switch');
}

/**
 * Inserts posts that become due from a moment on, and returns that moment. In one transaction, however
 * long it takes: workers that run already see none of them before it is decided.
 */
export async function insertDuePosts(client: Client, due: DuePosts): Promise<number> {
  const { run, posts, stepMs, hasJobs } = due;
  const startAt = Date.now() + LEAD_MS + posts / 10;
  await client.query('begin');
  await client.query(INSERT, [posts, postText(run, ''), startAt, stepMs]);
  if (hasJobs) await client.query(JOBS, [postText(run, '')]);
  const lateMs = Math.max(0, Date.now() + LEAD_MS - startAt);
  if (lateMs > 0) await client.query(hasJobs ? SHIFT_JOBS : SHIFT, [lateMs, postText(run, '')]);
  await client.query('commit');
  return startAt + lateMs;
}

/**
 * Far apart in the index of users, as people are whose posts are due together. Neighbours share pages of
 * it, ten times as many in a small database, which would then count as the cheaper one.
 */
const STRIDE = 7_919;

/** Ids in order of time, as the product makes them (UUIDv7). Users in turn, and only those who may publish. */
const INSERT = `
  with authors as (
    select id, row_number() over (order by id) - 1 as n from users u where user_may_publish(u))
  insert into posts (id, user_id, content, languages, status, scheduled_at, claim_at)
  select (substr(id.ms, 1, 8) || '-' || substr(id.ms, 9) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
    a.id, $2 || post.n, '{en}', 'PENDING', due.at, due.at
  from generate_series(0, $1::integer - 1) as post (n)
  join authors a on a.n = post.n::bigint * ${STRIDE} % (select count(*) from authors),
  lateral (select lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') as ms
           from (select post.n) as each_post) as id,
  lateral (select to_timestamp(($3::float8 + post.n * $4::float8) / 1000) as at) as due`;

const SHIFT = `
  update posts set scheduled_at = scheduled_at + $1 * interval '1 millisecond',
    claim_at = claim_at + $1 * interval '1 millisecond'
  where content like $2 || '%'`;

const SHIFT_JOBS = `
  update graphile_worker._private_jobs set run_at = run_at + $1 * interval '1 millisecond'
  where payload ->> 'text' like $2 || '%'`;

const JOBS = `
  select count(*) from graphile_worker.add_jobs(array(
    select row('publish', json_build_object('postId', p.id, 'did', u.did, 'host', a.host,
        'text', p.content, 'at', p.scheduled_at), null, p.scheduled_at, null, null, null, null)
      ::graphile_worker.job_spec
    from posts p join users u on u.id = p.user_id join accounts a on a.user_id = p.user_id
    where p.content like $1 || '%'))`;
