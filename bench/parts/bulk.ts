import { setTimeout as delay } from 'node:timers/promises';
import type { BulkChange } from '@meridian/contract/bulk';
import type { Closers } from '../../server/src/closers.ts';
import { sql } from '../../server/src/db/sql.ts';
import { summarise } from '../measure/percentiles.ts';
import { readBeside } from '../measure/read-beside.ts';
import type { Row } from '../report/row.ts';
import type { Installation } from '../stand/stand.ts';
import { openBenchDatabase } from './engine/bench-database.ts';
import { prepareAccounts } from './engine/due-posts.ts';
import { runArm } from './engine/run-arm.ts';
import { HOSTS, startSink } from './engine/sink.ts';
import { countText, time } from './response-times.ts';

const SECTION = 'Change of many posts';
const POLL_MS = 200;
/** Posts that the engine publishes meanwhile, and their distance; due for less time than a change takes. */
const ENGINE_SHARE = 1 / 40;
const STEP_MS = 10;
/** About half as many reads as during the change: the p99 of a few seconds is that of two reads. */
const QUIET_MS_PER_POST = 0.3;

/** Cancels so many posts by one bulk change while the list is read, then again beside the engine. */
export async function bulk(large: Installation, posts: number, closers: Closers): Promise<Row[]> {
  const list = large.call({ path: '/api/admin/posts?limit=20' });
  const cancelFirst = await prepareChange(large, posts);
  const quiet = await readBeside(list, delay(posts * QUIET_MS_PER_POST));
  const change = cancelFirst();
  const busy = await readBeside(list, change);
  const seconds = await change;
  return [
    {
      section: SECTION,
      name: `${countText(posts)} posts cancelled`,
      ours: { value: seconds, unit: 's' },
      against: null,
      measured: (seconds * 100_000) / posts,
      mark: 'bulk',
    },
    {
      section: SECTION,
      name: 'posts page 1 meanwhile',
      ours: time(busy),
      against: { name: 'quiet', ...time(quiet) },
      measured: busy.p99 / quiet.p99,
      mark: 'bulkList',
    },
    await besideEngine(large, posts, closers),
  ];
}

/** The lateness of posts that are due while others are cancelled. */
async function besideEngine(large: Installation, posts: number, closers: Closers): Promise<Row> {
  const database = await openBenchDatabase(large.database.address, closers);
  const sink = await startSink(HOSTS, closers);
  await prepareAccounts(database.client, sink.hosts);
  const cancelMore = await prepareChange(large, posts);
  const stand = { database, sink, closers };
  const plan = { arm: 'engine', posts: posts * ENGINE_SHARE, stepMs: STEP_MS } as const;
  const quiet = await runArm({ ...plan, run: 'before' }, stand);
  const busy = await runArm({ ...plan, run: 'meanwhile' }, stand, cancelMore);
  const [ours, against] = [summarise(busy.lateness), summarise(quiet.lateness)];
  return {
    section: SECTION,
    name: 'lateness of other posts meanwhile',
    ours: time(ours),
    against: { name: 'quiet', ...time(against) },
    measured: ours.p99 / against.p99,
    mark: 'bulkEngine',
  };
}

/** Inserts the posts. What it returns cancels them, and says how many seconds that took. */
async function prepareChange(large: Installation, posts: number): Promise<() => Promise<number>> {
  const [author] = await large.sql.run<{ id: string }>(sql`select id from users limit 1`);
  const userId = author?.id ?? '';
  await large.sql.run(sql`
    insert into posts (id, user_id, content, status, scheduled_at)
    select gen_random_uuid(), ${userId}, 'One of many', 'PENDING', timestamptz '2099-01-01Z'
    from generate_series(1, ${posts}::int)`);
  return async () => {
    const startedAt = performance.now();
    const selection = { posts: { userId, status: 'PENDING', from: '2098-12-31T00:00:00Z' } };
    const { token, count } = await post<{ token: string; count: number }>(large, '/preview', {
      action: 'postCancel',
      selection,
    });
    await post(large, '', { token, typedCount: count });
    while (!(await isDone(large, token))) await delay(POLL_MS);
    return (performance.now() - startedAt) / 1000;
  };
}

async function isDone({ server }: Installation, id: string): Promise<boolean> {
  // On a connection of its own: the list is read on the other.
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(`${server.url}/api/admin/bulk-changes/${id}`, { headers });
  // Serialized by the schema of the contract.
  const { change } = (await response.json()) as { change: BulkChange };
  return change.state === 'DONE';
}

async function post<T>({ server }: Installation, path: string, body: object): Promise<T> {
  const response = await fetch(`${server.url}/api/admin/bulk-changes${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  // Serialized by the schema of the contract.
  return (await response.json()) as T;
}
