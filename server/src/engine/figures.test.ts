import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../db/sql.ts';
import { newRkey } from '../network/identity.ts';
import type { Engine } from './engine.ts';
import { httpNetwork, openStage } from './testing/stage.ts';
import type { Stage, StagedUser } from './testing/stage.ts';

const UNREACHABLE = 'http://127.0.0.1:9';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('server');
});
afterAll(() => stage.close());

/** How many posts it published, and of how many it measured the lateness. */
async function figuresOf({ metrics }: Engine) {
  const text = await metrics.registry.metrics();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
  return [metrics.totals.published, figure('meridian_engine_lateness_seconds_count')];
}

test('what is published after a failed call, or by another worker, is late; by hand nothing is', async () => {
  const host = await stage.startHost();
  const network = () => httpNetwork([host]);
  const user = await stage.addUser(UNREACHABLE);
  const retried = await stage.addPost(user, 0);
  const engine = await stage.startEngine(network());
  const statusOf = async (id: string) =>
    (await stage.readPosts()).find((post) => post.id === id)?.status;
  const isPublished = async (id: string, count: number, measured: number) => {
    await expect.poll(() => statusOf(id)).toBe('COMPLETED');
    await expect.poll(() => figuresOf(engine)).toEqual([count, measured]);
  };

  await expect
    .poll(async () => (await stage.readPosts())[0])
    .toMatchObject({ status: 'PROCESSING', cause: 'network_unreachable' });
  await stage.db.execute(sql`update accounts set host = ${host.url} where user_id = ${user.id}`);
  await stage.db.execute(sql`update posts set claim_at = now() where id = ${retried}`);
  await isPublished(retried, 1, 1);

  const byHand = await stage.addPost(user, 3_600_000);
  await stage.db.execute(sql`update posts set status = 'PROCESSING' where id = ${byHand}`);
  await isPublished(byHand, 2, 1);

  const taken = await stage.addPost(user, 3_600_000);
  await leaveBehind(user, taken);
  await isPublished(taken, 3, 2);
});

/** As a worker leaves it that dies after it may have sent it. */
async function leaveBehind({ id: userId, did }: StagedUser, postId: string): Promise<void> {
  const record = { $type: 'app.bsky.feed.post', text: postId, createdAt: new Date().toISOString() };
  const writes = sql.json([{ rkey: newRkey(), record }]);
  await stage.db.execute(sql`
    insert into deliveries (post_id, user_id, did, host, writes, unsent_through)
    select ${postId}, ${userId}, ${did}, host, ${writes}, 0 from accounts where user_id = ${userId}`);
  await stage.db.execute(sql`
    update posts set status = 'PROCESSING', attempt = 1, claim_at = now(),
      scheduled_at = now() - interval '15 seconds' where id = ${postId}`);
}
