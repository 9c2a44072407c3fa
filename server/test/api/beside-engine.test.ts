import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createHeaderNetwork } from '../../src/network/testing/header-network.ts';
import { createTestTableStore } from '../../src/network/testing/test-table-store.ts';
import { openStage } from '../engine/stage.ts';
import type { Stage } from '../engine/stage.ts';
import { note } from '../figures.ts';
import { startExampleWorker } from './example-worker.ts';

/** The long run has more. */
const POSTS = Number(process.env['API_POSTS'] ?? 300);
const USERS = 20;
const SPREAD_MS = 4_000;
/** Posts are made for later and brought forward: making them takes a while. */
const HOUR_MS = 3_600_000;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('server');
});
afterEach(() => stage.close());

async function published(): Promise<number> {
  const { n } = await stage.db.one<{ n: number }>(sql`
    select count(*)::integer as n from posts where status = 'COMPLETED'`);
  return n;
}

async function bringOneForward(): Promise<void> {
  await stage.db.execute(sql`
    update posts set scheduled_at = now()
    where id = (select id from posts where status = 'PENDING' order by scheduled_at limit 1)`);
}

test(`the example worker and the engine share ${POSTS} posts, and none is out twice`, async () => {
  const host = await stage.startHost({ delayMs: 20, store: createTestTableStore(stage.db) });
  const users = await Promise.all(Array.from({ length: USERS }, () => stage.addUser(host.url)));
  for (let post = 0; post < POSTS; post += 1) {
    const user = users[post % USERS];
    if (user !== undefined) await stage.addPost(user, HOUR_MS + (post / POSTS) * SPREAD_MS);
  }
  const worker = await startExampleWorker(stage, host, users);
  const network = createHeaderNetwork({
    authorize: (account) => host.authorize(account),
  });
  // Each has one post for itself, so that both are at work when they share the others.
  await bringOneForward();
  await expect.poll(published).toBe(1);
  worker.kill('SIGSTOP');
  await stage.startEngine(network, { lookaheadMs: 0 });
  await bringOneForward();
  await expect.poll(published).toBe(2);
  worker.kill('SIGCONT');
  await stage.bringForward(HOUR_MS);

  await expect.poll(published, { timeout: 90_000 + POSTS * 30 }).toBe(POSTS);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  // The engine journals CIDs, the worker does not.
  const { engine, example } = await stage.db.one<{ engine: number; example: number }>(sql`
    select count(writes -> 0 ->> 'cid')::integer as engine,
      (count(*) - count(writes -> 0 ->> 'cid'))::integer as example from deliveries`);
  expect(Math.min(engine, example)).toBeGreaterThan(0);
  // What the network holds, whatever the rows of the posts say.
  const { records, texts } = await stage.db.one<{ records: number; texts: number }>(sql`
    select count(*)::integer as records, count(distinct (did, record ->> 'text'))::integer as texts
    from local_records`);
  note({ what: 'engine and worker on the same posts', posts: POSTS, engine, worker: example });
  expect([records, texts, host.report().duplicates]).toEqual([POSTS, POSTS, []]);
});
