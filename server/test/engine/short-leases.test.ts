import { expect, onTestFinished, test } from 'vitest';
import { insertDuePosts } from './due-posts.ts';
import { httpNetwork, openStage } from './stage.ts';

const WORKERS = 4;
const USERS = 40;
const POSTS = 150;
const DUE_WITHIN_MS = 3_000;
/** Little more than a worker looks ahead, and less than most posts wait for their time and their host. */
const LEASE_MS = 2_000;

test('posts that wait for longer than a lease stay with the worker that has them', async () => {
  const stage = await openStage('server');
  onTestFinished(() => stage.close());
  const host = await stage.startHost({ delayMs: 150 });
  for (let user = 0; user < USERS; user += 1) await stage.addUser(host.url);
  await insertDuePosts(stage.db, POSTS, DUE_WITHIN_MS);
  const options = { leaseMs: LEASE_MS, hostConcurrency: 2 };
  const starting = Array.from({ length: WORKERS }, () =>
    stage.startEngine(httpNetwork([host]), options),
  );
  const workers = await Promise.all(starting);
  await stage.untilOpen(0);
  const fenced = await Promise.all(workers.map(({ metrics }) => metrics.fenced.get()));
  const lost = fenced.flatMap(({ values }) => values).reduce((sum, { value }) => sum + value, 0);
  const posts = await stage.readPosts();
  expect(posts.filter(({ status }) => status !== 'COMPLETED')).toEqual([]);
  expect(host.report().duplicates).toEqual([]);
  // Some may be, where a machine is too slow to renew them in time.
  expect(lost).toBeLessThan(POSTS / 10);
});
