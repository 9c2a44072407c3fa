import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openStage } from '../engine/stage.ts';
import type { Stage, StagedUser } from '../engine/stage.ts';
import { startExampleWorker } from './example-worker.ts';

const ELEVEN_MINUTES_MS = 11 * 60_000;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('server');
});
afterEach(() => stage.close());

const statesOf = () =>
  stage.db.many<{ status: string }>(
    sql`select content, status, cause, error_msg, at_uri from posts order by content`,
  );
const allDecided = async () =>
  (await statesOf()).every(({ status }) => status === 'COMPLETED' || status === 'FAILED');

/** A post that a worker journalled eleven minutes ago, before it died. */
async function journalled(user: StagedUser, content: string, rkey: string) {
  const createdAt = new Date(Date.now() - ELEVEN_MINUTES_MS).toISOString();
  const record = { $type: 'app.bsky.feed.post', text: content, createdAt };
  const id = await stage.addPost(user, -ELEVEN_MINUTES_MS, { content, status: 'PROCESSING' });
  await stage.db.execute(sql`
    insert into deliveries (post_id, user_id, did, host, writes)
    values (${id}, ${user.id}, ${user.did}, 'unknown', ${sql.json([{ rkey, record }])})`);
  return record;
}

test('a killed worker leaves no post twice and none behind', async () => {
  const host = await stage.startHost({ delayMs: 200 });
  const user = await stage.addUser(host.url);
  const posts = 20;
  for (let post = 0; post < posts; post += 1) await stage.addPost(user, 0);
  const first = await startExampleWorker(stage, host, [user]);
  await expect.poll(() => host.report().requests).toBeGreaterThan(0);
  first.kill('SIGKILL');
  await once(first, 'exit');
  // Its leases end at once instead of in a minute.
  await stage.db.execute(sql`update posts set claim_at = now() where status = 'PROCESSING'`);
  await startExampleWorker(stage, host, [user]);
  await expect.poll(allDecided).toBe(true);
  const { arrivals, duplicates } = host.report();
  expect(new Set(arrivals.map(({ text }) => text)).size).toBe(posts);
  expect(duplicates).toEqual([]);
});

test('what was sent long ago is looked up, not sent again', async () => {
  const host = await stage.startHost();
  const user = await stage.addUser(host.url);
  const record = await journalled(user, 'a: public', '3jzfcijpj2z2a');
  await journalled(user, 'b: deleted by its author', '3jzfcijpj2z2b');
  const card = { external: { uri: 'https://example.com', title: 'Title', description: '' } };
  await stage.addPost(user, 0, { content: 'c: a link card', embed: card });
  const { authorization = '' } = await host.authorize({ did: user.did });
  const put = await fetch(new URL('/xrpc/com.atproto.repo.putRecord', host.url), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      repo: user.did,
      collection: 'app.bsky.feed.post',
      rkey: '3jzfcijpj2z2a',
      record,
    }),
  });
  expect(put.status).toBe(200);
  await startExampleWorker(stage, host, [user]);
  await expect.poll(allDecided).toBe(true);
  expect(await statesOf()).toMatchObject([
    { status: 'COMPLETED', at_uri: `at://${user.did}/app.bsky.feed.post/3jzfcijpj2z2a` },
    { status: 'FAILED', cause: 'unknown_outcome' },
    { status: 'FAILED', cause: 'invalid_record', error_msg: 'This worker publishes text alone' },
  ]);
  expect(host.report().arrivals).toHaveLength(1);
});

test('a database that cuts its connections does not end the worker', async () => {
  const host = await stage.startHost();
  const user = await stage.addUser(host.url);
  const worker = await startExampleWorker(stage, host, [user], 'pipe');
  let reported = '';
  worker.stderr?.on('data', (chunk: Buffer) => (reported += chunk.toString()));
  await stage.addPost(user, 0, { content: 'before' });
  await expect.poll(allDecided).toBe(true);
  await stage.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ''`);
  await expect.poll(() => reported).toContain('terminating connection');
  await stage.addPost(user, 0, { content: 'after' });
  await expect.poll(allDecided).toBe(true);
  expect([worker.exitCode, host.report().arrivals.map(({ text }) => text)]).toEqual([
    null,
    ['before', 'after'],
  ]);
});
