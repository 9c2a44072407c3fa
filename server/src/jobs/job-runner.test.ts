import { describe, expect, test } from 'vitest';
import { ENGINES, setUpApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { startJobRunner } from './jobs.ts';

const keyOf = ({ id }: { id: string }) => `bulk-change:${id}`;
const isTaken = (db: Db, key: string) =>
  db.many(sql`
    select 1 from graphile_worker._private_jobs where key = ${key} and locked_at is not null`);

describe.each(ENGINES)('the job runner on %s', (engine) => {
  const api = setUpApp(engine);

  const newPost = async () => insertPost(api.db, await insertUser(api.db));
  async function startChange(postId: string): Promise<{ id: string }> {
    const { adminId, username } = await api.signIn();
    const by = { adminId, username, requestId: null, network: null };
    const selection = { ids: [postId] };
    const { token } = await api.context.bulk.preview(by, { action: 'postCancel', selection });
    return api.context.bulk.start(by, { token });
  }
  const stateOf = async ({ id }: { id: string }) => (await api.context.bulk.get(id)).state;

  test('takes up what is queued, and what a killed process has left behind', async () => {
    const [queued, left] = [await startChange(await newPost()), await startChange(await newPost())];
    // The queue believes that the killed worker still has it.
    await api.db.execute(sql`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'killed'
      where key = ${keyOf(left)}`);
    await api.db.execute(sql`
      update bulk_changes set beat_at = now() - interval '1 minute' where id = ${left.id}`);

    const runner = await startJobRunner(api.context);
    for (const change of [queued, left]) {
      await expect.poll(() => stateOf(change)).toBe('DONE');
    }
    await runner.stop();
    expect(api.logged.filter((line) => line.includes('job'))).toEqual([]);
    // Stopping waits until the queue has written that it is done.
    expect(await isTaken(api.db, keyOf(queued))).toEqual([]);
  });

  test('says that its connection broke, not that a job failed', async () => {
    const runner = await startJobRunner(api.context);
    // The queue listens on a connection that it opens after its start.
    await expect
      .poll(() =>
        api.db.many(sql`
          select 1 from pg_stat_activity
          where datname = current_database() and state = 'idle' and query like 'LISTEN "jobs:insert"%'`),
      )
      .toHaveLength(1);
    const before = api.logged.length;
    const broken = () =>
      api.logged.slice(before).filter((line) => line.includes('connection of the job queue broke'));
    await api.db.many(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'meridian-jobs' and datname = current_database()`);
    // The queue's own word for it, besides that of the pool.
    await expect
      .poll(broken, { timeout: 5000 })
      .toContainEqual(expect.stringContaining('"queue":'));
    await runner.stop();
    expect(api.logged.slice(before).join()).not.toContain('A job failed');
  });

  test('goes on when the connection breaks that would write that a job is done', async () => {
    const runner = await startJobRunner(api.context);
    const postId = await newPost();
    await api.db.transaction(async (job) => {
      // The change waits for its post, until the row of its job is locked too.
      const key = await api.db.transaction(async (post) => {
        await post.one(sql`select 1 from posts where id = ${postId} for update`);
        const started = keyOf(await startChange(postId));
        await expect.poll(() => isTaken(api.db, started)).toHaveLength(1);
        await job.one(
          sql`select 1 from graphile_worker._private_jobs where key = ${started} for update`,
        );
        return started;
      });
      await expect
        .poll(() =>
          api.db.many(sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'meridian-jobs' and datname = current_database()
              and wait_event_type = 'Lock' and query like '%delete from%_private_jobs%'`),
        )
        .toHaveLength(1);
      expect(await isTaken(api.db, key)).toHaveLength(1);
    });
    await expect.poll(() => api.logged.join('\n')).toContain('The job queue stopped');
    const next = await startChange(await newPost());
    await expect.poll(() => stateOf(next)).toBe('DONE');
    await runner.stop();
  });
});
