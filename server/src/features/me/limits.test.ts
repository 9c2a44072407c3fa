import { mePostCreate, mePostRetry, mePostUpdate } from '@meridian/contract/me/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost } from '../../../test/fixtures.ts';
import { waysIn } from '../../../test/members.ts';
import { refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { requireSchedulable } from './scheduling.ts';
import { startMember } from './testing/member-calls.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TOMORROW = Math.ceil(Date.now() / DAY) * DAY;
/** Moments of one day, each in a slot of its own. */
const at = (hours: number) => new Date(TOMORROW + hours * HOUR).toISOString();
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

const OK = 'scheduled';
const soon = new Date(inHours(3));
const nextMonth = new Date(Date.UTC(soon.getUTCFullYear(), soon.getUTCMonth() + 1));
const lastOfMonth = new Date(nextMonth.getTime() - 1).toISOString();
const month = nextMonth.toISOString();

describe.each(EITHER)('the limits of a plan on %s', (engine) => {
  const api = setUpApp(engine);
  let adminId: string;
  beforeAll(async () => {
    ({ adminId } = await api.signIn());
  });

  type Me = Awaited<ReturnType<typeof startMember>>;
  type Body = Parameters<Me['schedule']>[0];
  /** The name of the limit that was passed, with the numbers that its sentence names first. */
  const outcomeOf = (call: Awaited<ReturnType<Me['schedule']>>) => {
    if (call.status === 201) return OK;
    const { issues, message } = call.error;
    return [issues?.[0]?.path, ...(message.match(/\d+/g) ?? []).slice(0, 2)].join(' ');
  };

  test.each<[string, Record<string, unknown>, Body[], string[]]>([
    [
      'pending_posts_limit',
      { pending_posts_limit: 2 },
      [1, 2, 3].map((n) => ({ scheduledAt: at(n) })),
      [OK, OK, 'pending_posts_limit 2 2'],
    ],
    [
      'pending_posts_limit of -1',
      { pending_posts_limit: -1 },
      [1, 2].map((n) => ({ scheduledAt: at(n) })),
      [OK, OK],
    ],
    [
      'pending_posts_limit of 0',
      { pending_posts_limit: 0 },
      [{ scheduledAt: at(1) }],
      ['pending_posts_limit 0 0'],
    ],
    [
      'monthly_posts_limit by the month of the post in UTC',
      { monthly_posts_limit: 1, max_schedule_days: 60 },
      [lastOfMonth, lastOfMonth, month, month].map((scheduledAt) => ({ scheduledAt })),
      [OK, 'monthly_posts_limit 1 1', OK, 'monthly_posts_limit 1 1'],
    ],
    [
      'monthly_posts_limit of -1',
      { monthly_posts_limit: -1 },
      [1, 2].map((n) => ({ scheduledAt: at(n) })),
      [OK, OK],
    ],
    [
      'concurrent_posts_limit by slot',
      { concurrent_posts_limit: 1, schedule_interval_minutes: 15 },
      [0, 0.2499, 0.25].map((n) => ({ scheduledAt: at(n) })),
      [OK, 'concurrent_posts_limit 1 1', OK],
    ],
    [
      'concurrent_posts_limit of -1',
      { concurrent_posts_limit: -1 },
      [1, 1].map((n) => ({ scheduledAt: at(n) })),
      [OK, OK],
    ],
    [
      'max_schedule_days',
      { max_schedule_days: 7 },
      [{ scheduledAt: inHours(7 * 24 - 1) }, { scheduledAt: inHours(7 * 24 + 1) }],
      [OK, 'max_schedule_days 7 8'],
    ],
    [
      'max_post_length in characters as people see them',
      { max_post_length: 3 },
      ['👩‍👩‍👧e\u0301🇩🇪', '👩‍👩‍👧e\u0301🇩🇪.'].map((content) => ({ content })),
      [OK, 'max_post_length 3 4'],
    ],
    [
      'max_post_length in a thread',
      { max_post_length: 5, thread_posts: true },
      [{ content: 'Short', thread: [{ content: 'Longer' }] }],
      ['max_post_length 5 6'],
    ],
    [
      'thread_posts_limit',
      { thread_posts: true, thread_posts_limit: 2 },
      [2, 3].map((n) => ({ thread: Array.from({ length: n }, () => ({ content: 'More' })) })),
      [OK, 'thread_posts_limit 2 3'],
    ],
    [
      'thread_posts',
      { thread_posts: false, thread_posts_limit: 5 },
      [{ thread: [{ content: 'More' }] }],
      ['thread_posts_limit 1'],
    ],
    [
      'the past',
      {},
      [{ scheduledAt: inHours(-1) }, { scheduledAt: inHours(0) }],
      ['scheduledAt', OK],
    ],
  ])('%s', async (_, limits, bodies, expected) => {
    const me = await startMember(api, limits);
    const found = [];
    for (const body of bodies) found.push(outcomeOf(await me.schedule(body)));
    expect(found).toEqual(expected);
  });

  test('max_images_per_post', async () => {
    const me = await startMember(api, { max_images_per_post: 1 });
    const images = [await me.picture(), await me.picture()].map((mediaId) => ({
      mediaId,
      alt: '',
    }));
    expect(outcomeOf(await me.schedule({ images: images.slice(1) }))).toBe(OK);
    expect(outcomeOf(await me.schedule({ images }))).toBe('max_images_per_post 1 2');
    expect(outcomeOf(await me.schedule({ images: [], thread: [{ content: '', images }] }))).toBe(
      'max_images_per_post 1 2',
    );
  });

  test.each([
    ['a quote with pictures', { media: { images: [{}, {}] } }, 'max_images_per_post'],
    ['pictures without media', { media: null, images: [{}, {}] }, 'max_images_per_post'],
    ['a gallery', { images: null, items: [{}, {}] }, 'max_images_per_post'],
    ['a video', { $type: 'app.bsky.embed.video' }, 'images'],
    ['a video without media', { media: null, video: {} }, 'images'],
  ])('of %s that was imported are counted when it is retried', async (_, embed, path) => {
    const me = await startMember(api, { max_images_per_post: 1 });
    const id = await insertPost(api.db, me.userId, { status: 'FAILED', embed });
    await api.db.execute(sql`update posts set cause = 'host_down' where id = ${id}`);
    const retry = await api.call(mePostRetry, { params: { id }, headers: me.headers, body: {} });
    expect(retry.error.issues?.[0]?.path).toBe(path);
  });

  test.each([
    ['pending_posts_limit', { pending_posts_limit: 3 }],
    ['monthly_posts_limit', { monthly_posts_limit: 3 }],
    ['concurrent_posts_limit', { concurrent_posts_limit: 3, schedule_interval_minutes: 15 }],
  ])(
    '%s is not passed by twenty calls at once, from the page and by tokens',
    async (name, limits) => {
      const me = await startMember(api, limits);
      const time = (n: number) => at(name === 'concurrent_posts_limit' ? 1 : n / 10);
      const ways = await waysIn(api, me.userId, adminId);
      const calls = Array.from({ length: 20 }, (__, n) =>
        api.call(mePostCreate, {
          headers: ways[n % 3] ?? {},
          body: { content: 'Hello', scheduledAt: time(n) },
        }),
      );
      const found = (await Promise.all(calls)).map(outcomeOf);
      expect(found.filter((outcome) => outcome === OK)).toHaveLength(3);
      expect(found.filter((outcome) => outcome.startsWith(name))).toHaveLength(17);
    },
  );

  test('hold for a post that moves as well, itself not counted', async () => {
    const limits = { concurrent_posts_limit: 1, monthly_posts_limit: 2, pending_posts_limit: 2 };
    const me = await startMember(api, limits);
    const { post } = (await me.schedule({ scheduledAt: at(1) })).answer;
    await me.schedule({ scheduledAt: at(2) });
    const move = (scheduledAt: string) =>
      api.call(mePostUpdate, {
        params: { id: post.id },
        headers: me.headers,
        body: { content: 'Hello', scheduledAt },
      });
    expect(refusal(await move(at(2)))).toMatchObject({ code: 'limit_reached' });
    expect((await move(at(3))).status).toBe(200);
    expect(refusal(await move(inHours(-2)))).toMatchObject({ code: 'invalid_input' });
    // At a time that passed meanwhile its text can still be changed.
    const late = inHours(-3);
    await api.db.execute(sql`update posts set scheduled_at = ${late} where id = ${post.id}`);
    expect((await move(late)).status).toBe(200);
  });

  test('count months of UTC, whatever the time zone of the session', async () => {
    const me = await startMember(api, { monthly_posts_limit: 1 });
    const year = new Date().getUTCFullYear() + 1;
    const march = (day: number) => new Date(Date.UTC(year, 2, day)).toISOString();
    await insertPost(api.db, me.userId, { scheduled_at: march(30) });
    await api.db.transaction(async (tx) => {
      // A month after the first of March in UTC is the 28th there.
      await tx.execute(sql`set local timezone = 'America/New_York'`);
      const post = { content: 'Hello', embed: null, thread: null };
      await expect(requireSchedulable(tx, me.userId, post, { at: march(5) })).rejects.toThrow(
        `The next begins on ${year}-04-01 00:00 UTC`,
      );
    });
  });
});
