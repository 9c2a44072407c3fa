import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { uuidV7 } from '../../src/db/uuid-v7.ts';
import { ENGINES, setUpApp } from '../app.ts';
import { insertPost, insertUser } from '../fixtures.ts';
import { inHours, userWithLimits } from './api-calls.ts';
import type { Scheduled } from './api-calls.ts';

describe.each(ENGINES)('calls that are repeated, and what becomes of posts, on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  const schedule = (userId: string, key: string) =>
    api.db.one<Scheduled>(sql`
      select * from meridian_api.schedule_post(${userId}, 'A post', ${inHours(1).toISOString()},
        idempotency_key => ${key}::uuid)`);
  const read = (userId: string, postId: string) =>
    api.db.many(sql`select * from meridian_api.read_post(${userId}, ${postId})`);

  const upsert = ([did = null, handle = null, name = null, avatar = null]: (string | null)[]) =>
    api.db.one(
      sql`select * from meridian_api.upsert_person(${did}, ${handle}, ${name}, ${avatar})`,
    );

  test('a call that is repeated with its key schedules one post, and takes no second slot', async () => {
    const userId = await userWithLimits(api.db, { pending_posts_limit: 1 });
    const key = uuidV7();
    const results = await Promise.all(Array.from({ length: 20 }, () => schedule(userId, key)));
    expect(results.map(({ result, post_id }) => [result, post_id])).toEqual(
      Array.from({ length: 20 }, () => ['scheduled', key]),
    );
    expect(await api.db.many(sql`select id, content from posts where user_id = ${userId}`)).toEqual(
      [{ id: key, content: 'A post' }],
    );
    expect(await schedule(userId, uuidV7())).toMatchObject({ limit_name: 'pending_posts_limit' });
    // It was scheduled, whatever was switched since.
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    expect(await schedule(userId, key)).toMatchObject({ result: 'scheduled', post_id: key });
    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
  });

  test('the id of another post is no key', async () => {
    const [userId, other] = [await insertUser(api.db), await insertUser(api.db)];
    const taken = await insertPost(api.db, other, {});
    const deleted = await insertPost(api.db, userId, {});
    await api.db.execute(sql`
      insert into deliveries (post_id, user_id, did, host, writes)
      values (${deleted}, ${userId}, 'did:plc:person', 'unknown', '[]')`);
    await api.db.execute(sql`delete from posts where id = ${deleted}`);
    for (const key of [taken, deleted]) {
      await expect(schedule(userId, key)).rejects.toThrow('the id of another post');
    }
  });

  test('a post is read by the person it belongs to', async () => {
    const userId = await insertUser(api.db);
    const { post_id: postId } = await schedule(userId, uuidV7());
    expect(await read(userId, postId ?? '')).toMatchObject([
      { status: 'PENDING', version: 1, hold: null, cause: null, at_uri: null, executed_at: null },
    ]);
    expect(await read(await insertUser(api.db), postId ?? '')).toEqual([]);
  });

  test.each([
    ['long handle', ['did:plc:known', 'x'.repeat(254), null, null]],
    ['missing handle', ['did:plc:known', null, null, null]],
    ['long name', ['did:plc:known', 'known.test', 'x'.repeat(641), null]],
    ['long avatar', ['did:plc:known', 'known.test', null, 'x'.repeat(2049)]],
    ['text that is no DID', ['known', 'known.test', null, null]],
  ])('a %s is refused without a word of the person', async (_, given) => {
    await upsert(['did:plc:known', 'known.test']);
    await expect(upsert(given)).rejects.toMatchObject({ code: '22023', detail: undefined });
  });
});
