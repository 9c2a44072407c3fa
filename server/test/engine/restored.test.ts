import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createRetryCheck } from '../../src/features/posts/retry.ts';
import type { Network } from '../../src/network/network.ts';
import type { Fault } from '../../src/network/testing/local-host.ts';
import { given, httpNetwork, openStage } from './stage.ts';
import type { Stage, StagedUser } from './stage.ts';

const HOUR = 3_600_000;

let stage: Stage;
let host: Awaited<ReturnType<Stage['startHost']>>;
let user: StagedUser;
let fault: Fault;
let asked: string[];
beforeEach(async () => {
  fault = null;
  asked = [];
  stage = await openStage('server');
  host = await stage.startHost({
    fault(path) {
      if (path.includes('getRecord')) asked.push(path);
      return fault;
    },
  });
  user = await stage.addUser(host.url);
});
afterEach(() => stage.close());

const start = (calls: Partial<Network> = {}) =>
  stage.startEngine({ ...httpNetwork([host]), ...calls });
const states = async () =>
  (await stage.readPosts()).map(({ id, status, cause }) => [id, status, cause]);

/** As after a restore of what was before the posts went out. */
async function restore(): Promise<void> {
  await stage.db.execute(sql`delete from posts`);
  await stage.db.execute(sql`delete from deliveries`);
  await stage.db.execute(sql`insert into posts select * from before`);
}
/** Everything is so much later. */
const age = (ms: number) =>
  stage.db.execute(sql`
    update posts set scheduled_at = scheduled_at - ${ms} * interval '1 millisecond',
      claim_at = claim_at - ${ms} * interval '1 millisecond'`);
const becomeAnother = () => stage.db.execute(sql`update engine_database set identity = 'before'`);

async function publish(...posts: string[]): Promise<void> {
  await stage.db.execute(sql`create table if not exists before as select * from posts`);
  const engine = await start();
  await expect.poll(states).toEqual(posts.map((id) => [id, 'COMPLETED', null]));
  await engine.stop();
}

const thread = sql.json([{ content: 'And a second part', languages: ['en'] }]);

test('what went out before its delivery was lost is found under its keys, not sent again', async () => {
  const single = await stage.addPost(user, 0);
  const long = await stage.addPost(user, 1);
  await stage.db.execute(sql`update posts set thread = ${thread} where id = ${long}`);
  await publish(single, long);
  await restore();
  // So that both carry another time when they are sent again.
  await age(120_000 - 5_000);
  await publish(single, long);
  expect(host.report().arrivals.length).toBe(3);
  expect(host.report().duplicates).toEqual([]);
});

test('after a restore, what is too late by now is asked for: found it is completed, else it fails', async () => {
  const sent = await stage.addPost(user, 0);
  await publish(sent);
  await restore();
  const unsent = await stage.addPost(user, 1);
  await age(2 * HOUR);
  await becomeAnother();
  const engine = await start();
  await expect.poll(states).toEqual([
    [sent, 'COMPLETED', null],
    [unsent, 'FAILED', 'too_late'],
  ]);
  await engine.stop();
  expect(host.report().arrivals.map(({ text }) => text)).toEqual([sent]);
  expect(asked.length).toBe(2);
  expect(stage.logged.filter((line) => line.includes('The database was restored'))).toHaveLength(1);
});

test('what was claimed to be asked for, and was not, is as late as before', async () => {
  const unsent = await stage.addPost(user, 0);
  await age(2 * HOUR);
  await becomeAnother();
  // Its worker died meanwhile, and a restore may bring back any attempt.
  await stage.db.execute(sql`
    update posts set status = 'PROCESSING', attempt = 3, claim_at = now() - interval '1 second'`);
  await start();
  await expect.poll(states).toEqual([[unsent, 'FAILED', 'too_late']]);
  expect(asked.length).toBe(1);
  expect(host.report().arrivals).toEqual([]);
});

test('a host that says neither leaves the decision to the author', async () => {
  const sent = await stage.addPost(user, 0);
  await publish(sent);
  await restore();
  await age(2 * HOUR);
  await becomeAnother();
  const away = { status: 400, error: 'InvalidRequest', message: 'Could not locate record' };
  const response = { kind: 'response', ...away, body: null, retryAt: null } as const;
  await start({ getRecord: async () => response });
  await expect.poll(states).toEqual([[sent, 'FAILED', 'unknown_outcome']]);
});

test('a post that is gone in part is asked for before it fails', async () => {
  const sent = await stage.addPost(user, 0);
  await publish(sent);
  await restore();
  await becomeAnother();
  const gone = sql.json({ images: [{ key: 'uploads/gone.png', alt: '' }] });
  await stage.db.execute(sql`update posts set embed = ${gone}`);
  await publish(sent);
  expect(host.report().arrivals.length).toBe(1);
});

test('a restore that nobody noticed doubles nothing either when the post is retried', async () => {
  const sent = await stage.addPost(user, 0);
  await publish(sent);
  await restore();
  await age(2 * HOUR);
  const engine = await start();
  await expect.poll(states).toEqual([[sent, 'FAILED', 'too_late']]);
  await engine.stop();
  const requireRetryable = createRetryCheck((...record) =>
    httpNetwork([host]).getRecord(...record),
  );
  await expect(requireRetryable(stage.db, sent)).rejects.toMatchObject({
    code: 'post_already_published',
  });
  expect(given((await stage.readPosts())[0]).atUri).toMatch(/^at:/);
});

test('a host that is silent after a restore keeps its posts waiting, not failed', async () => {
  const sent = await stage.addPost(user, 0);
  await publish(sent);
  await restore();
  await age(2 * HOUR);
  await becomeAnother();
  fault = 'refuse_before';
  await start();
  const post = async () => given((await stage.readPosts())[0]);
  await expect.poll(post).toMatchObject({ status: 'PENDING', hold: 'host_down' });
  fault = null;
  await expect.poll(states, { timeout: 60_000 }).toEqual([[sent, 'COMPLETED', null]]);
  expect(host.report().arrivals.length).toBe(1);
});

test('after plain downtime no host is asked', async () => {
  const unsent = await stage.addPost(user, 0);
  await age(2 * HOUR);
  await start();
  await expect.poll(states).toEqual([[unsent, 'FAILED', 'too_late']]);
  expect(asked).toEqual([]);
});
