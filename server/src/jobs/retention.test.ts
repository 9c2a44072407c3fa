import { beforeAll, describe, expect, test } from 'vitest';
import { userWithLimits } from '../../test/plan-fixtures.ts';
import { EITHER, setUpApp } from '../../test/app.ts';
import { insertAttempt, insertDelivery } from '../../test/engine-fixtures.ts';
import { insertPost } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';
import { startJobRunner } from './jobs.ts';
import { RETENTION_TASK, runRetention } from './retention.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe.each(EITHER)('retention on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  const run = (signal = new AbortController().signal) => runRetention({ ...api.context, signal });
  const postOf = (userId: string, status: string, days: number) =>
    insertPost(api.db, userId, {
      // The statuses of the table below.
      status: status as 'PENDING',
      scheduled_at: daysAgo(days),
      created_at: daysAgo(days + 1),
      executed_at: status === 'CANCELLED' || status === 'PENDING' ? null : daysAgo(days),
    });
  const idsOf = async (userId: string) =>
    (await api.db.many<{ id: string }>(sql`select id from posts where user_id = ${userId}`)).map(
      ({ id }) => id,
    );

  test('a limit of more days than the calendar has keeps everything, and stops nothing', async () => {
    const forEver = await userWithLimits(api.db, { data_retention_days: 2_147_483_647 });
    const other = await userWithLimits(api.db, { data_retention_days: 30 });
    const kept = await postOf(forEver, 'COMPLETED', 4_000);
    await postOf(other, 'COMPLETED', 31);
    await run();
    expect([await idsOf(forEver), await idsOf(other)]).toEqual([[kept], []]);
  });

  test('deletes final posts past the limit of their user, with journal and attempts, and no other', async () => {
    const userId = await userWithLimits(api.db, { data_retention_days: 30 });
    const old = await Promise.all(
      ['COMPLETED', 'FAILED', 'CANCELLED'].map((status) => postOf(userId, status, 31)),
    );
    const kept = [
      ...(await Promise.all(
        ['COMPLETED', 'FAILED', 'CANCELLED'].map((status) => postOf(userId, status, 29)),
      )),
      ...(await Promise.all(
        ['PENDING', 'PROCESSING'].map((status) => postOf(userId, status, 400)),
      )),
    ];
    // Scheduled long ago and published yesterday, after a long suspension.
    const late = await postOf(userId, 'COMPLETED', 400);
    await api.db.execute(
      sql`update posts set executed_at = now() - interval '1 day' where id = ${late}`,
    );
    for (const id of [old[1] ?? '', kept[1] ?? '']) {
      await insertDelivery(
        api.db,
        { id, userId, did: 'did:plc:x' },
        { claimedAt: daysAgo(31), settledAt: daysAgo(31), outcome: 'refused' },
      );
      await insertAttempt(api.db, id, {
        attempt: 1,
        startedAt: daysAgo(31),
        endedAt: daysAgo(31),
        cause: 'host_down',
      });
    }
    expect(await run()).toEqual({ posts: 3, pictures: 0 });
    expect((await idsOf(userId)).toSorted()).toEqual([...kept, late].toSorted());
    for (const table of [sql`deliveries`, sql`delivery_attempts`]) {
      const left = await api.db.many(
        sql`select post_id from ${table} where post_id = any(${old}::uuid[])`,
      );
      expect(left).toEqual([]);
      expect(await api.db.many(sql`select from ${table} where post_id = ${kept[1]}`)).toHaveLength(
        1,
      );
    }
    expect(await run()).toEqual({ posts: 0, pictures: 0 });
  });

  test('deletes OAuth sessions that belong to no user, but not those of a sign-in under way', async () => {
    const userId = await userWithLimits(api.db, {});
    await api.db.execute(sql`
      insert into oauth_sessions (did, key_id, wrapped_key, ciphertext, refreshed_at)
      select did, 'k', '', '', now() - age from (
        select did, interval '2 hours' from users where id = ${userId}
        union all values ('did:plc:left', interval '2 hours'), ('did:plc:arriving', '5 minutes')) as s (did, age)`);
    await run();
    const left = await api.db.many<{ did: string }>(sql`
      delete from oauth_sessions where did not in (select did from users) returning did`);
    expect(left).toEqual([{ did: 'did:plc:arriving' }]);
    expect(await api.db.execute(sql`delete from oauth_sessions`)).toBe(1);
  });

  test('of -1, and without a limit, keeps everything', async () => {
    for (const limits of [{ data_retention_days: -1 }, {}]) {
      const userId = await userWithLimits(api.db, limits);
      await postOf(userId, 'COMPLETED', 4000);
      await run();
      expect(await idsOf(userId)).toHaveLength(1);
    }
  });

  test('leaves a cancelled post whose fate on the network is not known yet', async () => {
    const userId = await userWithLimits(api.db, { data_retention_days: 0 });
    const id = await postOf(userId, 'CANCELLED', 1);
    await insertDelivery(api.db, { id, userId, did: 'did:plc:x' }, { claimedAt: daysAgo(0) });
    await run();
    expect(await idsOf(userId)).toEqual([id]);
  });

  test('goes through more than a batch, keeps the counters right and tells how much it deleted', async () => {
    const userId = await userWithLimits(api.db, { data_retention_days: 1 });
    await api.db.execute(sql`
      insert into posts (id, user_id, content, status, scheduled_at, executed_at)
      select gen_random_uuid(), ${userId}, 'Old', 'COMPLETED', now() - interval '2 days', now() - interval '2 days'
      from generate_series(1, 1201)`);
    const state = () =>
      api.db.one<{ posts: number }>(
        sql`select posts_deleted as posts, finished_at from retention_state`,
      );
    const before = await state();
    expect(await run()).toMatchObject({ posts: 1201 });
    expect((await state()).posts).toBe(before.posts + 1201);
    const { total } = await api.context.posts.listOfUser(userId, { limit: 1, offset: 0 });
    expect(total).toBe(0);
  });

  test('is a job of the queue', async () => {
    const userId = await userWithLimits(api.db, { data_retention_days: 1 });
    await postOf(userId, 'FAILED', 3);
    const runner = await startJobRunner(api.context);
    await api.db.execute(sql`select graphile_worker.add_job(${RETENTION_TASK})`);
    await expect.poll(() => idsOf(userId), { timeout: 60_000 }).toEqual([]);
    await runner.stop();
    const cron = await api.db.many(
      sql`select identifier from graphile_worker._private_known_crontabs`,
    );
    expect(cron).toEqual([{ identifier: RETENTION_TASK }]);
  });
});
