import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ENGINES, setUpApp } from '../app.ts';
import { insertUser } from '../fixtures.ts';
import { DAY, HOUR, inHours, overrideLimits, schedule, userWithLimits } from './api-calls.ts';
import type { PostText } from './api-calls.ts';

const TOMORROW = Math.ceil(Date.now() / DAY) * DAY;
/** Moments of one day, each in a slot of its own. */
const at = (n: number) => new Date(TOMORROW + n * HOUR);

const images = (count: number) => ({ images: Array.from({ length: count }, () => ({})) });
const parts = (count: number) => Array.from({ length: count }, () => ({ content: 'More' }));

describe.each(ENGINES)('limits through meridian_api on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  /**
   * Schedules these one after the other, at a time or in so many hours from then; the results, 'limit'
   * with the limit's name.
   */
  async function results(
    limits: Record<string, unknown>,
    posts: (PostText & { at: Date | number })[],
  ) {
    const userId = await userWithLimits(api.db, limits);
    const found = [];
    for (const { at: moment, ...text } of posts) {
      const time = typeof moment === 'number' ? inHours(moment) : moment;
      const { result, limit_name, allowed, used } = await schedule(api.db, userId, time, text);
      found.push(limit_name === null ? result : `${limit_name}: ${used} of ${allowed}`);
    }
    return found;
  }

  const OK = 'scheduled';
  const soon = inHours(3);
  const nextMonth = new Date(Date.UTC(soon.getUTCFullYear(), soon.getUTCMonth() + 1, 1, 0, 0));
  const lastOfMonth = new Date(nextMonth.getTime() - 1);

  test.each([
    [
      'pending_posts_limit',
      { pending_posts_limit: 2 },
      [{ at: at(1) }, { at: at(2) }, { at: at(3) }],
      [OK, OK, 'pending_posts_limit: 2 of 2'],
    ],
    [
      'pending_posts_limit of -1',
      { pending_posts_limit: -1 },
      [{ at: at(1) }, { at: at(2) }],
      [OK, OK],
    ],
    [
      'pending_posts_limit of 0',
      { pending_posts_limit: 0 },
      [{ at: at(1) }],
      ['pending_posts_limit: 0 of 0'],
    ],
    [
      'monthly_posts_limit by the month of the post in UTC',
      { monthly_posts_limit: 1, max_schedule_days: 60 },
      [{ at: lastOfMonth }, { at: lastOfMonth }, { at: nextMonth }, { at: nextMonth }],
      [OK, 'monthly_posts_limit: 1 of 1', OK, 'monthly_posts_limit: 1 of 1'],
    ],
    [
      'monthly_posts_limit of -1',
      { monthly_posts_limit: -1 },
      [{ at: at(1) }, { at: at(2) }],
      [OK, OK],
    ],
    [
      'concurrent_posts_limit by slot',
      { concurrent_posts_limit: 1, schedule_interval_minutes: 15 },
      [
        { at: at(1) },
        { at: new Date(at(1).getTime() + 899_000) },
        { at: new Date(at(1).getTime() + 900_000) },
      ],
      [OK, 'concurrent_posts_limit: 1 of 1', OK],
    ],
    [
      'concurrent_posts_limit of -1',
      { concurrent_posts_limit: -1 },
      [{ at: at(1) }, { at: at(1) }],
      [OK, OK],
    ],
    [
      'max_schedule_days',
      { max_schedule_days: 7 },
      [{ at: 7 * 24 - 1 }, { at: 7 * 24 + 1 }],
      [OK, 'max_schedule_days: 8 of 7'],
    ],
    [
      'max_post_length in characters as people see them',
      { max_post_length: 3 },
      [
        { at: at(1), content: '👩‍👩‍👧e\u0301🇩🇪' },
        { at: at(2), content: '👩‍👩‍👧e\u0301🇩🇪.' },
      ],
      [OK, 'max_post_length: 4 of 3'],
    ],
    [
      'max_post_length in a thread',
      { max_post_length: 5, thread_posts: true },
      [{ at: at(1), content: 'Short', thread: [{ content: 'Longer' }] }],
      ['max_post_length: 6 of 5'],
    ],
    [
      'max_images_per_post',
      { max_images_per_post: 1 },
      [
        { at: at(1), embed: images(1) },
        { at: at(2), embed: images(2) },
        { at: at(3), embed: { media: images(2) } },
        { at: at(4), embed: { media: null, ...images(2) } },
        { at: at(5), embed: { images: null, items: [{}, {}] } },
      ],
      [OK, ...Array.from({ length: 4 }, () => 'max_images_per_post: 2 of 1')],
    ],
    [
      'thread_posts_limit',
      { thread_posts: true, thread_posts_limit: 2 },
      [
        { at: at(1), thread: parts(2) },
        { at: at(2), thread: parts(3) },
      ],
      [OK, 'thread_posts_limit: 3 of 2'],
    ],
    [
      'thread_posts',
      { thread_posts: false, thread_posts_limit: 5 },
      [{ at: at(1), thread: parts(1) }],
      ['thread_posts_limit: 1 of 0'],
    ],
    ['video', {}, [{ at: at(1), embed: { $type: 'app.bsky.embed.video' } }], ['video']],
    ['video, no media', {}, [{ at: at(1), embed: { media: null, video: {} } }], ['video']],
    ['the past', {}, [{ at: -1 }, { at: 0 }], ['in_the_past', OK]],
  ])('%s', async (_, limits, posts, expected) => {
    expect(await results(limits, posts)).toEqual(expected);
  });

  test.each([
    ['pending_posts_limit', { pending_posts_limit: 3 }],
    ['monthly_posts_limit', { monthly_posts_limit: 3 }],
    ['concurrent_posts_limit', { concurrent_posts_limit: 3, schedule_interval_minutes: 15 }],
  ])('%s is not passed by twenty calls at once', async (name, limits) => {
    const userId = await userWithLimits(api.db, limits);
    const calls = Array.from({ length: 20 }, (_, n) =>
      schedule(api.db, userId, name === 'concurrent_posts_limit' ? at(1) : at(n / 10)),
    );
    const found = (await Promise.all(calls)).map((call) => call.limit_name ?? call.result);
    expect(found.toSorted()).toEqual(
      [
        ...Array.from({ length: 17 }, () => name),
        ...Array.from({ length: 3 }, () => OK),
      ].toSorted(),
    );
  });

  test('a post that moves is held to the same limits, itself not counted', async () => {
    const userId = await userWithLimits(api.db, {
      concurrent_posts_limit: 1,
      monthly_posts_limit: 2,
      pending_posts_limit: 2,
    });
    const [first, second] = [
      await schedule(api.db, userId, at(1)),
      await schedule(api.db, userId, at(2)),
    ];
    const move = (id: string | null, to: Date, version: number | null = null) =>
      api.db.one(sql`select result, limit_name from
        meridian_api.reschedule_post(${userId}, ${id}, ${to.toISOString()}, ${version}::integer)`);
    expect(await move(first.post_id, at(2))).toEqual({
      result: 'limit',
      limit_name: 'concurrent_posts_limit',
    });
    expect(await move(first.post_id, at(3), 7)).toMatchObject({ result: 'changed' });
    expect(await move(first.post_id, at(3), 1)).toMatchObject({ result: 'rescheduled' });
    expect(await move(second.post_id, inHours(-2))).toMatchObject({ result: 'in_the_past' });
    const other = await insertUser(api.db);
    expect(
      await api.db.one(sql`select meridian_api.cancel_post(${other}, ${first.post_id}) as result`),
    ).toEqual({ result: 'unknown_post' });
    const cancel = () =>
      api.db.one(sql`select meridian_api.cancel_post(${userId}, ${first.post_id}) as result`);
    expect([await cancel(), await cancel()]).toEqual([
      { result: 'cancelled' },
      { result: 'not_cancellable' },
    ]);
    expect(await move(first.post_id, at(4))).toMatchObject({ result: 'not_pending' });
    // Cancelled, it counts no more.
    expect(await schedule(api.db, userId, at(5))).toMatchObject({ result: OK });
  });

  test.each([
    ['RESTRICTED', sql`status = 'RESTRICTED'`, 'restricted'],
    ['SUSPENDED', sql`status = 'SUSPENDED'`, 'user_off'],
    ['BLOCKED', sql`status = 'BLOCKED'`, 'user_off'],
    ['inactive', sql`is_active = false`, 'user_off'],
  ])('a user who is %s schedules nothing', async (_, state, result) => {
    const userId = await insertUser(api.db);
    await api.db.execute(sql`update users set ${state} where id = ${userId}`);
    expect(await schedule(api.db, userId, at(1))).toMatchObject({ result, post_id: null });
  });

  test('a suspended service takes no post', async () => {
    const userId = await insertUser(api.db);
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    expect(await schedule(api.db, userId, at(1))).toMatchObject({ result: 'service_suspended' });
    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
    expect(await schedule(api.db, '01890000-0000-7000-8000-000000000000', at(1))).toMatchObject({
      result: 'unknown_user',
    });
  });

  test('a transaction of another level could see old counts, and is refused', async () => {
    const userId = await insertUser(api.db);
    const work = api.db.transaction(async (tx) => {
      await tx.execute(sql`set transaction isolation level repeatable read`);
      return schedule(tx, userId, at(1));
    });
    await expect(work).rejects.toThrow('READ COMMITTED');
  });

  test('limits in force come with their source and what is used', async () => {
    const userId = await userWithLimits(api.db, {
      monthly_posts_limit: 5,
      pending_posts_limit: 4,
      max_post_length: 100,
    });
    await overrideLimits(api.db, userId, { max_post_length: 200 });
    await schedule(api.db, userId, inHours(0));
    const row = await api.db.one(sql`
      select tier, limits, overridden, posts_this_month, pending_posts from meridian_api.limits_in_force(${userId})`);
    expect(row).toEqual({
      tier: 'BASIC',
      limits: { monthly_posts_limit: 5, pending_posts_limit: 4, max_post_length: 200 },
      overridden: { max_post_length: 200 },
      posts_this_month: 1,
      pending_posts: 1,
    });
  });

  test('people are created and renamed, but not in a closed beta', async () => {
    const upsert = (did: string, handle: string) =>
      api.db.one<{ result: string; user_id: string }>(
        sql`select * from meridian_api.upsert_person(${did}, ${handle})`,
      );
    const created = await upsert('did:plc:upserted', 'one.test');
    expect(created.result).toBe('created');
    expect(await upsert('did:plc:upserted', 'two.test')).toEqual({
      result: 'updated',
      user_id: created.user_id,
    });
    await api.db.execute(sql`update service_settings set is_closed_beta = true`);
    expect(await schedule(api.db, created.user_id, at(1))).toMatchObject({ result: OK });
    const newcomer = await insertUser(api.db, { created_at: inHours(1).toISOString() });
    expect(await schedule(api.db, newcomer, at(1))).toMatchObject({ result: 'closed_beta' });
    await api.db.execute(sql`
      update users set has_access_keyword_access = true where id = ${newcomer}`);
    expect(await schedule(api.db, newcomer, at(1))).toMatchObject({ result: OK });
    expect(await upsert('did:plc:newcomer', 'new.test')).toEqual({
      result: 'closed_beta',
      user_id: null,
    });
    expect(await upsert('did:plc:upserted', 'two.test')).toMatchObject({ result: 'unchanged' });
    await api.db.execute(sql`update service_settings set is_closed_beta = false`);
    const crowd = await Promise.all(
      Array.from({ length: 10 }, () => upsert('did:plc:crowd', 'crowd.test')),
    );
    expect(new Set(crowd.map(({ user_id }) => user_id)).size).toBe(1);
  });
});
