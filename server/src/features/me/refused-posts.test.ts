import { meGet } from '@meridian/contract/me/account';
import { ALT_MAX_LENGTH, mePostUpdate } from '@meridian/contract/me/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';
import { countPosts, inMinutes, startMember } from './testing/member-calls.ts';

describe.each(EITHER)('posts of a person that are refused on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  test.each<[string, object, string]>([
    ['no text and no picture', { content: ' ' }, 'Write something, or add a picture'],
    [
      'an empty post in its thread',
      { thread: [{ content: '' }] },
      'Write something, or add a picture',
    ],
    [
      'a picture that is not there',
      { images: [{ mediaId: uuidV7(), alt: '' }] },
      'A picture of this post is no longer here. Upload it again',
    ],
    [
      'a picture that is no id',
      { images: [{ mediaId: '../../etc', alt: '' }] },
      'A picture of this post is no longer here. Upload it again',
    ],
    [
      'a reply to nothing',
      { replyTo: 'https://example.com/' },
      'This is not the address of a post. Copy it from the post itself',
    ],
    [
      'a quote of an unknown handle',
      { quote: 'https://bsky.app/profile/who.example/post/3k' },
      'The author of this post was not found. Check the address, or try again in a moment',
    ],
    [
      'a script as its link',
      { external: { uri: 'javascript:alert(1)', title: '', description: '', mediaId: null } },
      'The link must be a web address',
    ],
    [
      'more bytes than the network takes',
      { content: '👨‍👩‍👧‍👦'.repeat(121) },
      'The text is too large for Bluesky: 3025 of 3000 bytes. Use fewer emoji, or shorten it',
    ],
    ['a time that is past', { scheduledAt: inMinutes(-5) }, 'Choose a time that is not past'],
  ])('with %s are refused in a sentence', async (_, body, message) => {
    const me = await startMember(api, { thread_posts: true });
    expect(refusal(await me.schedule(body))).toEqual(catalogued('invalid_input', message));
    expect(await countPosts(api, me.userId)).toBe(0);
  });

  test('are not, for their size, while every part is within the limits', async () => {
    const me = await startMember(api, { thread_posts: true, thread_posts_limit: 24 });
    const images = [{ mediaId: await me.picture(), alt: '猫'.repeat(ALT_MAX_LENGTH) }];
    const part = { content: '👨‍👩‍👧‍👦'.repeat(120), images };
    const body = { ...part, thread: Array.from({ length: 24 }, () => part) };
    const { status, answer } = await me.schedule(body);
    expect([status, answer.post.thread]).toMatchObject([
      201,
      body.thread.map(({ content }) => ({ content })),
    ]);
    const changed = await api.call(mePostUpdate, {
      headers: me.headers,
      params: { id: answer.post.id },
      body: { ...body, scheduledAt: answer.post.scheduledAt },
    });
    expect(changed.status).toBe(200);
  });

  test('from the page of a person who is no longer the one signed in are refused', async () => {
    const [me, other] = [await startMember(api), await startMember(api)];
    const refused = await me.schedule({}, { 'x-person': other.userId });
    expect(refusal(refused)).toEqual(catalogued('session_ended'));
    expect(await countPosts(api, me.userId)).toBe(0);
    // Who it is now can be read, and the session goes on.
    const headers = { ...me.headers, 'x-person': other.userId };
    expect((await api.call(meGet, { headers })).answer.user.id).toBe(me.userId);
    expect((await me.schedule({}, { 'x-person': me.userId })).status).toBe(201);
  });

  test('with the picture of another person are refused', async () => {
    const [me, other] = [await startMember(api), await startMember(api)];
    const images = [{ mediaId: await other.picture(), alt: '' }];
    expect((await me.schedule({ images })).status).toBe(400);
  });

  test.each<[string, Record<string, unknown>, object, string]>([
    [
      'max_post_length',
      { max_post_length: 4 },
      {},
      'Your plan allows 4 characters in a post. This one has 5. Shorten it',
    ],
    [
      'thread_posts',
      { thread_posts: false },
      { thread: [{ content: 'x' }] },
      'Your plan has no threads. This one has 1 further post',
    ],
    [
      'max_schedule_days',
      { max_schedule_days: 1 },
      { scheduledAt: inMinutes(60 * 36) },
      'Your plan lets you schedule 1 day ahead. This is 2. Choose an earlier time',
    ],
    [
      'pending_posts_limit',
      { pending_posts_limit: 0 },
      {},
      'Your plan allows 0 waiting posts. You have 0. There is room again when one is published or cancelled',
    ],
  ])('past %s are refused with limit and usage', async (name, limits, body, message) => {
    const me = await startMember(api, limits);
    const call = await me.schedule(body);
    expect(refusal(call)).toEqual(catalogued('limit_reached', message));
    expect(call.error.issues).toEqual([
      { path: name === 'thread_posts' ? 'thread_posts_limit' : name, message },
    ]);
  });

  test('past a limit of time are refused with its end', async () => {
    const me = await startMember(api, { monthly_posts_limit: 1, max_schedule_days: 400 });
    const scheduledAt = '2099-03-05T10:00:00.000Z';
    await api.db.execute(sql`
      update plans set limits = limits || '{"max_schedule_days": 40000}'
      where id = (select plan_id from plan_assignments where user_id = ${me.userId})`);
    expect((await me.schedule({ scheduledAt })).status).toBe(201);
    expect((await me.schedule({ scheduledAt })).error.message).toBe(
      'Your plan allows 1 post in a month. You have 1 in this one. The next begins on 2099-04-01 00:00 UTC',
    );
  });

  test.each([
    ['pending_posts_limit', { pending_posts_limit: 3 }],
    ['monthly_posts_limit', { monthly_posts_limit: 3 }],
    ['concurrent_posts_limit', { concurrent_posts_limit: 3, schedule_interval_minutes: 15 }],
  ])('of twenty requests at once never pass %s', async (_, limits) => {
    const me = await startMember(api, limits);
    const scheduledAt = inMinutes(90);
    const calls = await Promise.all(Array.from({ length: 20 }, () => me.schedule({ scheduledAt })));
    const made = calls.filter(({ status }) => status === 201);
    expect([made.length, calls.every(({ status }) => [201, 409].includes(status))]).toEqual([
      3,
      true,
    ]);
    expect(await countPosts(api, me.userId)).toBe(3);
  });
});
