import { CAUSES } from '@meridian/contract/causes';
import { describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ENGINES, setUpApp } from '../app.ts';
import { insertPost, insertUser } from '../fixtures.ts';

type Claimed = { post_id: string; attempt: number; writes: unknown };

describe.each(ENGINES)('publishing through meridian_api on %s', (engine) => {
  const api = setUpApp(engine);

  const due = (minutesAgo = 0) =>
    insertUser(api.db).then(async (userId) => ({
      userId,
      postId: await insertPost(api.db, userId, {
        scheduled_at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
      }),
    }));
  const claim = (most = 50) =>
    api.db.many<Claimed>(sql`
      select post_id, attempt, writes from meridian_api.claim_posts(${most}::integer)`);
  const stateOf = (postId: string) =>
    api.db.one(sql`select status, hold, cause, at_uri from posts where id = ${postId}`);
  const call = async (statement: ReturnType<typeof sql>) =>
    (await api.db.one<{ result: unknown }>(sql`select ${statement} as result`)).result;
  const WRITES = sql.json([{ rkey: '3jzfcijpj2z2a', record: { text: 'x' } }]);
  const OTHER = sql.json([{ rkey: '3jzfcijpj2z2b', record: { text: 'y' } }]);
  const journal = (postId: string, attempt = 1) =>
    call(sql`meridian_api.journal_post(${postId}, ${attempt}, ${WRITES}::json)`);
  const uriOf = async (userId: string) =>
    (
      await api.db.one<{ uri: string }>(sql`
        select 'at://' || did || '/app.bsky.feed.post/3jzfcijpj2z2a' as uri from users where id = ${userId}`)
    ).uri;

  test('knows the causes of the contract', async () => {
    expect(await call(sql`post_causes()`)).toEqual(Object.keys(CAUSES));
  });

  test('a post is claimed once, and its lease keeps others away', async () => {
    const { postId } = await due();
    expect(await claim()).toEqual([{ post_id: postId, attempt: 1, writes: null }]);
    expect(await claim()).toEqual([]);
    expect(await call(sql`meridian_api.fail_post(${postId}, 2, 'internal', 'Not mine')`)).toBe(
      'not_yours',
    );
    expect(await call(sql`meridian_api.fail_post(${postId}, 1, 'parent_gone', 'Gone')`)).toBe(
      'failed',
    );
    expect(await stateOf(postId)).toMatchObject({ status: 'FAILED', cause: 'parent_gone' });
    await expect(call(sql`meridian_api.fail_post(${postId}, 1, 'bad luck', 'x')`)).rejects.toThrow(
      'no such cause',
    );
  });

  test('a post that the engine prepares ahead of its time is claimed at its time', async () => {
    const userId = await insertUser(api.db);
    const postId = await insertPost(api.db, userId, {
      embed: { images: [{ key: 'uploads/a.png', alt: '' }] },
      scheduled_at: new Date(Date.now() + 60_000).toISOString(),
    });
    // As four seconds before its time: the engine's own claim is a second ago.
    await api.db.execute(
      sql`update posts set claim_at = now() - interval '1 second' where id = ${postId}`,
    );
    expect(await claim()).toEqual([]);
    expect(await stateOf(postId)).toMatchObject({ status: 'PENDING', hold: null });
    await api.db.execute(sql`update posts set scheduled_at = now() where id = ${postId}`);
    expect(await claim()).toMatchObject([{ post_id: postId, attempt: 1 }]);
  });

  test('a claim without a number, a lease or a late limit takes nothing', async () => {
    const { postId } = await due();
    for (const given of [sql`null`, sql`1, null`, sql`1, 60, null`]) {
      expect(await api.db.many(sql`select * from meridian_api.claim_posts(${given})`)).toEqual([]);
    }
    expect(await claim()).toMatchObject([{ post_id: postId, attempt: 1 }]);
  });

  test('what the first attempt journalled is what the second one sends', async () => {
    const { userId, postId } = await due();
    await claim();
    expect(await call(sql`meridian_api.journal_post(${postId}, 1, ${WRITES}::json)`)).toMatchObject(
      [{ rkey: '3jzfcijpj2z2a' }],
    );
    expect(await call(sql`meridian_api.put_off_post(${postId}, 1, 1, 'host_slow')`)).toBe(
      'put_off',
    );
    await api.db.execute(sql`update posts set claim_at = now() where id = ${postId}`);
    expect(await claim()).toMatchObject([
      { post_id: postId, attempt: 2, writes: [{ rkey: '3jzfcijpj2z2a' }] },
    ]);
    expect(await call(sql`meridian_api.journal_post(${postId}, 1, ${OTHER}::json)`)).toBeNull();
    expect(await call(sql`meridian_api.journal_post(${postId}, 2, ${OTHER}::json)`)).toMatchObject([
      { rkey: '3jzfcijpj2z2a' },
    ]);
    expect(await call(sql`meridian_api.finish_post(${postId}, 2, ${await uriOf(userId)})`)).toBe(
      'finished',
    );
    expect(await stateOf(postId)).toMatchObject({
      status: 'COMPLETED',
      at_uri: await uriOf(userId),
    });
  });

  test.each([
    ['no list', '{}'],
    ['no record', '[{"rkey":"3jzfcijpj2z2a"}]'],
    ['a key that is no TID', '[{"rkey":"../x","record":{}}]'],
    [
      'one key for two records',
      '[{"rkey":"3jzfcijpj2z2a","record":{}},{"rkey":"3jzfcijpj2z2a","record":{}}]',
    ],
    ['nothing', null],
  ])('refuses to journal %s', async (_, writes) => {
    const { postId } = await due();
    await claim();
    await expect(
      call(sql`meridian_api.journal_post(${postId}, 1, ${writes}::json)`),
    ).rejects.toThrow('writes are 1 to 25');
  });

  test('the record key of another post of the person is refused before it is sent', async () => {
    const { userId, postId } = await due();
    await claim();
    await journal(postId);
    await call(sql`meridian_api.finish_post(${postId}, 1, ${await uriOf(userId)})`);
    const second = await insertPost(api.db, userId, { scheduled_at: new Date().toISOString() });
    await claim();
    await expect(journal(second)).rejects.toThrow('another post of this person');
  });

  test('a post that was cancelled or deleted on its way is known to be out', async () => {
    const [cancelled, deleted] = [await due(), await due()];
    for (const { post_id: postId, attempt } of await claim()) {
      await journal(postId, attempt);
    }
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${cancelled.postId}`);
    await api.db.execute(sql`delete from posts where id = ${deleted.postId}`);
    const finish = async ({ userId, postId }: typeof deleted) =>
      call(sql`meridian_api.finish_post(${postId}, 1, ${await uriOf(userId)})`);
    expect([await finish(cancelled), await finish(deleted)]).toEqual(['decided', 'deleted']);
    // A worker that lost the response calls again: the audit log has one entry all the same.
    expect(await finish(deleted)).toBe('deleted');
    expect(await stateOf(cancelled.postId)).toMatchObject({
      status: 'CANCELLED',
      cause: 'published_after_cancel',
      at_uri: await uriOf(cancelled.userId),
    });
    expect(
      await api.db.one(
        sql`select actor_name, action from audit_log where entity_id = ${deleted.postId}`,
      ),
    ).toEqual({ actor_name: 'api', action: 'postPublishedAfterDelete' });
  });

  test('the switches hold for other programs too', async () => {
    const { userId, postId } = await due();
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    expect(await claim()).toEqual([]);
    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
    await api.db.execute(sql`update users set status = 'BLOCKED' where id = ${userId}`);
    expect(await claim()).toEqual([]);
    expect(await stateOf(postId)).toMatchObject({ status: 'PENDING', hold: 'user_off' });
    await api.db.execute(sql`update users set status = 'ACTIVE' where id = ${userId}`);
    expect(await claim()).toMatchObject([{ post_id: postId }]);
    expect(await call(sql`meridian_api.hold_post(${postId}, 1, 'reconnect')`)).toBe('held');
    expect(await stateOf(postId)).toMatchObject({ status: 'PENDING', hold: 'reconnect' });
    await expect(call(sql`meridian_api.release_posts(${userId}, 'user_off')`)).rejects.toThrow(
      'no such hold',
    );
    await call(sql`meridian_api.release_posts(${userId}, 'reconnect')`);
    expect(await claim()).toMatchObject([{ post_id: postId, attempt: 2 }]);
  });

  test.each([
    [
      'suspension',
      sql`update service_settings set is_service_suspended = true`,
      sql`update service_settings set is_service_suspended = false`,
      null,
    ],
    [
      'a blocked user',
      sql`update users set status = 'BLOCKED'`,
      sql`update users set status = 'ACTIVE'`,
      'user_off',
    ],
  ])('%s between claim and send gives the post back', async (_, off, on, hold) => {
    const [fresh, begun] = [await due(), await due()];
    await claim();
    await journal(begun.postId, 1);
    await api.db.execute(off);
    expect([await journal(fresh.postId, 1), await journal(begun.postId, 1)]).toEqual([null, null]);
    expect(await claim()).toEqual([]);
    expect(await stateOf(fresh.postId)).toMatchObject({ status: 'PENDING', hold });
    // Something may have been sent: it stays in the journal, and is sent again under its key.
    expect(await stateOf(begun.postId)).toMatchObject({ status: 'PROCESSING', hold });
    await api.db.execute(on);
    const again = await claim();
    expect(again).toContainEqual({ post_id: fresh.postId, attempt: 2, writes: null });
    expect(again).toContainEqual({
      post_id: begun.postId,
      attempt: 2,
      writes: [{ rkey: '3jzfcijpj2z2a', record: { text: 'x' } }],
    });
    expect(await journal(fresh.postId, 2)).not.toBeNull();
  });

  test('what is too late fails, and a backlog goes out one by one', async () => {
    const late = await due(61);
    const { userId, postId } = await due(30);
    const second = await insertPost(api.db, userId, {
      scheduled_at: new Date(Date.now() - 20 * 60_000).toISOString(),
    });
    expect((await claim()).map(({ post_id }) => post_id)).toEqual([postId]);
    expect(await stateOf(late.postId)).toMatchObject({ status: 'FAILED', cause: 'too_late' });
    expect(await stateOf(second)).toMatchObject({ status: 'PENDING', hold: 'catch_up' });
  });

  const resumed = (minutesAgo: number) =>
    api.db.execute(sql`
      update service_settings set resumed_at = now() - make_interval(mins => ${minutesAgo})`);

  test('what was due by the end of a suspension is judged as of then, for the late limit', async () => {
    await resumed(15);
    const { postId } = await due(70);
    for (const attempt of [1, 2]) {
      expect((await claim()).map(({ post_id }) => post_id)).toContain(postId);
      // As after a host that took no call.
      await api.db.execute(sql`
        update posts set status = 'PENDING', attempt = ${attempt}, claim_at = now() where id = ${postId}`);
    }
    await resumed(61);
    await claim();
    expect(await stateOf(postId)).toMatchObject({ status: 'FAILED', cause: 'too_late' });
  });
});
