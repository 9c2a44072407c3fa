import { MEMBER_HEADER, meTokenCreate } from '@meridian/contract/api-tokens';
import { meGet, meSignOut } from '@meridian/contract/me/account';
import {
  ALT_MAX_LENGTH,
  mePostCancel,
  mePostCreate,
  mePostDelete,
  mePostGet,
  mePostList,
  mePostRetry,
  mePostUpdate,
} from '@meridian/contract/me/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { waysIn } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
import { requireSchedulable } from './scheduling.ts';
import { countPosts, inMinutes, startMember } from './testing/member-calls.ts';
import { png } from './testing/picture-files.ts';

const CALLS = [
  mePostCreate,
  mePostList,
  mePostGet,
  mePostUpdate,
  mePostCancel,
  mePostDelete,
  mePostRetry,
] as const;

describe.each(EITHER)('the posts of a member on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  const stored = (id: string) =>
    api.db.one<Record<string, unknown>>(sql`select * from posts where id = ${id}`);

  test('need the session of that member', async () => {
    const owner = await startMember(api);
    const { post } = (await owner.schedule()).answer;
    const other = await startMember(api);
    const body = { content: 'Theirs', scheduledAt: inMinutes(60) };
    for (const endpoint of CALLS) {
      const options = { params: { id: post.id }, ...(endpoint.body && { body }) };
      expect(refusal(await api.call(endpoint, options))).toEqual(catalogued('unauthenticated'));
    }
    for (const endpoint of [mePostGet, mePostUpdate, mePostCancel, mePostDelete, mePostRetry]) {
      const own = endpoint === mePostRetry ? {} : body;
      const options = { params: { id: post.id }, headers: other.headers };
      const call = await api.call(endpoint, { ...options, ...(endpoint.body && { body: own }) });
      expect([endpoint.name, refusal(call)]).toEqual([endpoint.name, catalogued('post_not_found')]);
    }
    expect((await api.call(mePostList, { headers: other.headers })).answer.posts).toEqual([]);
    expect((await stored(post.id))['content']).toBe('Hello');
  });

  test('are scheduled with facets, pictures, a reply and a thread, and read back', async () => {
    const me = await startMember(api, { thread_posts: true, thread_posts_limit: 3 });
    await insertUser(api.db, { did: 'did:plc:friend', handle: `Friend.${engine}.test` });
    const mediaId = await me.picture(png({ width: 40, height: 30 }));
    const body = {
      content: `Hi @friend.${engine}.test 🌸 https://example.com #花`,
      languages: ['en', 'ja'],
      images: [{ mediaId, alt: 'Black' }],
      quote: 'https://bsky.app/profile/did:plc:other/post/3kabc',
      replyTo: `https://bsky.app/profile/friend.${engine}.test/post/3kxyz`,
      thread: [{ content: 'More' }],
      scheduledAt: inMinutes(90),
    };
    const { answer, status, headers } = await me.schedule(body);
    expect([status, headers['etag']]).toEqual([201, '"v1"']);
    const media = {
      id: mediaId,
      url: `/api/me/media/${mediaId}`,
      mimeType: 'image/png',
      width: 40,
      height: 30,
    };
    expect(answer.post).toMatchObject({
      content: body.content,
      languages: ['en', 'ja'],
      images: [{ media, alt: 'Black' }],
      external: null,
      quote: 'at://did:plc:other/app.bsky.feed.post/3kabc',
      replyTo: 'at://did:plc:friend/app.bsky.feed.post/3kxyz',
      thread: [{ content: 'More', images: [], external: null }],
      status: 'PENDING',
      url: null,
      sentence: null,
      can: { edit: true, cancel: true, delete: true, retry: false },
    });
    const row = await stored(answer.post.id);
    expect(row['facets']).toMatchObject([
      { features: [{ did: 'did:plc:friend' }] },
      { features: [{ uri: 'https://example.com/' }] },
      { features: [{ tag: '花' }] },
    ]);
    const got = await api.call(mePostGet, { params: { id: answer.post.id }, headers: me.headers });
    expect(got.answer).toEqual(answer);
  });

  test('are one post under one Idempotency-Key, however often it is sent', async () => {
    const me = await startMember(api);
    const scheduledAt = inMinutes(90);
    const send = () => me.schedule({ scheduledAt }, { 'idempotency-key': 'one-post' });
    const calls = await Promise.all(Array.from({ length: 20 }, send));
    const made = calls.filter(({ status }) => status === 201);
    for (const { status } of calls) expect([201, 409]).toContain(status);
    expect(new Set(made.map(({ answer }) => answer.post.id)).size).toBe(1);
    expect((await send()).answer.post.id).toBe(made[0]?.answer.post.id);
    expect(await countPosts(api, me.userId)).toBe(1);
    // The key of another person is another key.
    const other = await startMember(api);
    expect((await other.schedule({}, { 'idempotency-key': 'one-post' })).status).toBe(201);
  });

  test('are edited from the version that was seen', async () => {
    const me = await startMember(api, { max_post_length: 20 });
    const { post } = (await me.schedule()).answer;
    const edit = (content: string, version: string, more: object = {}) =>
      api.call(mePostUpdate, {
        params: { id: post.id },
        headers: { ...me.headers, 'if-match': version },
        body: { content, scheduledAt: post.scheduledAt, ...more },
      });
    const edited = await edit('Changed #now', '"v1"', {
      images: [{ mediaId: await me.picture(), alt: '' }],
    });
    expect(edited.answer.post).toMatchObject({
      content: 'Changed #now',
      version: 2,
      can: { edit: true },
    });
    expect(edited.headers['etag']).toBe('"v2"');
    expect(refusal(await edit('Late', '"v1"'))).toEqual(catalogued('post_changed_elsewhere'));
    for (const none of ['W/"x"', '"v1", "v3"', '"v2147483648"', '"v9999999999999999"']) {
      expect(refusal(await edit('Odd', none))).toEqual(catalogued('post_changed_elsewhere'));
    }
    expect(refusal(await edit('x'.repeat(21), '"v1", "v2"'))).toMatchObject({
      code: 'limit_reached',
    });
    expect(refusal(await edit('x'.repeat(21), '"v2"'))).toMatchObject({ code: 'limit_reached' });
    const row = await stored(post.id);
    expect(row).toMatchObject({
      content: 'Changed #now',
      facets: [{ features: [{ tag: 'now' }] }],
    });
    // With a picture it is claimed earlier.
    expect(row['claim_at']).toBe(new Date(Date.parse(post.scheduledAt) - 5_000).toISOString());
    await api.db.execute(sql`
      insert into deliveries (post_id, user_id, did, host, writes)
      values (${post.id}, ${me.userId}, 'did:plc:x', 'here', '[]')`);
    expect(refusal(await edit('Sent', '"v2"'))).toEqual(catalogued('post_not_editable'));
  });

  test('held for a cause stay held when only the text is edited', async () => {
    const me = await startMember(api);
    const { post } = (await me.schedule()).answer;
    await api.db.execute(
      sql`update posts set hold = 'reconnect', claim_at = 'infinity' where id = ${post.id}`,
    );
    const { answer } = await api.call(mePostUpdate, {
      params: { id: post.id },
      headers: me.headers,
      body: { content: 'Other', scheduledAt: post.scheduledAt },
    });
    expect(answer.post).toMatchObject({
      content: 'Other',
      sentence: 'Connect your account again. Your posts wait until then',
    });
  });

  test('are cancelled while they wait, and deleted unless they are being published', async () => {
    const me = await startMember(api);
    const id = await insertPost(api.db, me.userId, { status: 'PROCESSING' });
    const options = { params: { id }, headers: me.headers };
    expect(refusal(await api.call(mePostDelete, options))).toEqual(
      catalogued('post_being_published'),
    );
    expect((await api.call(mePostCancel, options)).answer.post.status).toBe('CANCELLED');
    expect(refusal(await api.call(mePostCancel, options))).toEqual(
      catalogued('post_not_cancellable'),
    );
    expect((await api.call(mePostDelete, options)).answer).toEqual({ success: true });
    expect(refusal(await api.call(mePostDelete, options))).toEqual(catalogued('post_not_found'));
    expect(refusal(await api.call(mePostGet, { ...options, params: { id: 'x' } }))).toEqual(
      catalogued('post_not_found'),
    );
  });

  test('that failed say why, and are retried once, within the limits', async () => {
    const me = await startMember(api, { pending_posts_limit: 1 });
    const id = await insertPost(api.db, me.userId, { status: 'FAILED', content: 'Again' });
    await api.db.execute(sql`update posts set cause = 'too_late' where id = ${id}`);
    const options = { params: { id }, headers: me.headers };
    expect((await api.call(mePostGet, options)).answer.post).toMatchObject({
      sentence: 'Your post could not be published in time',
      can: { edit: false, cancel: false, delete: true, retry: true },
    });
    const { post: waiting } = (await me.schedule()).answer;
    const retry = () => api.call(mePostRetry, { ...options, body: {} });
    expect(refusal(await retry())).toMatchObject({ code: 'limit_reached' });
    await api.call(mePostCancel, { params: { id: waiting.id }, headers: me.headers });
    const calls = await Promise.all(Array.from({ length: 5 }, retry));
    const made = calls.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(made[0]?.answer.post).toMatchObject({
      content: 'Again',
      status: 'PENDING',
      retryOf: id,
    });
    expect(refusal(await retry())).toEqual(catalogued('post_already_retried'));
    expect((await api.call(mePostGet, options)).answer.post).toMatchObject({
      retriedAs: made[0]?.answer.post.id,
      can: { retry: false },
    });
  });

  test('of an unknown outcome are retried only by a member who looked', async () => {
    const me = await startMember(api);
    const id = await insertPost(api.db, me.userId, { status: 'FAILED' });
    await api.db.execute(sql`update posts set cause = 'unknown_outcome' where id = ${id}`);
    const retry = (iLooked: boolean) =>
      api.call(mePostRetry, { params: { id }, headers: me.headers, body: { iLooked } });
    expect(refusal(await retry(false))).toEqual(catalogued('post_unconfirmed'));
    expect((await retry(true)).answer.post.retryOf).toBe(id);
  });

  test('of a program that stores more than this page knows are shown, and not edited', async () => {
    const me = await startMember(api);
    const embed = {
      $type: 'app.bsky.embed.images',
      images: [{ key: 'uploads/other.png', alt: '' }],
    };
    const id = await insertPost(api.db, me.userId, { embed });
    const { post } = (await api.call(mePostGet, { params: { id }, headers: me.headers })).answer;
    expect([post.images, post.can.edit]).toEqual([[], false]);
  });

  test.each([
    ['RESTRICTED', 'may_not_schedule'],
    ['SUSPENDED', 'member_suspended'],
  ] as const)('cannot be scheduled by a person who is %s', async (status, code) => {
    const me = await startMember(api);
    await api.db.execute(sql`update users set status = ${status} where id = ${me.userId}`);
    expect(refusal(await me.schedule())).toMatchObject({ code });
    expect((await api.call(mePostList, { headers: me.headers })).status).toBe(200);
  });

  test('that are published lead to the network', async () => {
    const me = await startMember(api);
    const id = await insertPost(api.db, me.userId, {
      status: 'COMPLETED',
      executed_at: '2026-03-01T09:00:01.000Z',
      at_uri: 'at://did:plc:me/app.bsky.feed.post/3kabc',
      at_rkey: '3kabc',
    });
    const { post } = (await api.call(mePostGet, { params: { id }, headers: me.headers })).answer;
    expect(post.url).toMatch(/\/profile\/did:plc:me\/post\/3kabc$/);
    expect(post.publishedAt).toBe('2026-03-01T09:00:01.000Z');
  });

  test('a request repeated to a database that has lost the first makes the same post again', async () => {
    const me = await startMember(api);
    const body = { content: 'Once', scheduledAt: inMinutes(90) };
    const key = { 'idempotency-key': 'lost-commit' };
    const { post } = (await me.schedule(body, key)).answer;
    await api.db.execute(sql`delete from posts where id = ${post.id}`);
    await api.db.execute(sql`delete from idempotency_keys where key = 'lost-commit'`);
    expect((await me.schedule(body, key)).answer.post.id).toBe(post.id);
    const others = [
      await me.schedule(body),
      await me.schedule(body, { 'idempotency-key': 'another' }),
      await (await startMember(api)).schedule(body, key),
    ];
    const ids = others.map(({ answer }) => answer.post.id);
    expect(new Set([post.id, ...ids]).size).toBe(4);
  });

  test('a key whose post was sent and deleted since makes no second one', async () => {
    const me = await startMember(api);
    const body = { content: 'Once', scheduledAt: inMinutes(90) };
    const key = { 'idempotency-key': 'deleted-since' };
    const { post } = (await me.schedule(body, key)).answer;
    await api.db.execute(sql`
      insert into deliveries (post_id, user_id, did, host, writes, unsent_through)
      values (${post.id}, ${me.userId}, 'did:plc:a', 'pds.example', '[]', 0)`);
    await api.db.execute(sql`delete from posts where id = ${post.id}`);
    await api.db.execute(sql`delete from idempotency_keys where key = 'deleted-since'`);
    expect(refusal(await me.schedule(body, key))).toEqual(catalogued('key_used_otherwise'));
  });
});

describe.each(EITHER)('the list of posts of a member on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  test('are listed by cursor, the latest or the soonest schedule first, by status', async () => {
    const me = await startMember(api);
    for (const minutes of [10, 30, 20]) await me.schedule({ scheduledAt: inMinutes(minutes) });
    await insertPost(api.db, me.userId, { status: 'FAILED' });
    const list = (query: Record<string, string>) =>
      api.call(mePostList, { headers: me.headers, query });
    const first = (await list({ limit: '2', status: 'PENDING' })).answer;
    const cursor = first.cursors?.next ?? '';
    const second = (await list({ limit: '2', status: 'PENDING', cursor })).answer;
    const times = [...first.posts, ...second.posts].map(({ scheduledAt }) => scheduledAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect([times.length, first.total, second.cursors?.next]).toEqual([3, 3, null]);
    expect((await list({})).answer.total).toBe(4);
    const soonest = (await list({ status: 'PENDING', order: 'asc' })).answer.posts;
    expect(soonest.map(({ scheduledAt }) => scheduledAt)).toEqual(times.toReversed());
  });

  /** So many posts, an hour apart; `bytes` of each are a description. */
  async function insertMany(userId: string, count: number, bytes: number) {
    const embed = sql`jsonb_build_object('$type', 'app.bsky.embed.external', 'external',
      jsonb_build_object('uri', 'https://page.test/', 'title', '', 'description', repeat('x', ${bytes}::int)))`;
    await api.db.execute(sql`
      insert into posts (id, user_id, content, scheduled_at, embed)
      select gen_random_uuid(), ${userId}, n::text, now() + make_interval(hours => n), ${embed}
      from generate_series(1, ${count}::int) n`);
  }

  test.each([
    ['a hundred at once', 1_000, [50, 100]],
    ['fewer at once when they are large', 900_000, [20]],
  ])('are listed forwards and backwards, %s', async (_, bytes, lengths) => {
    const me = await startMember(api);
    await insertMany(me.userId, 150, bytes);
    const list = async (cursor?: string | null) => {
      const query = { limit: '100', order: 'asc', ...(cursor && { cursor }) };
      const { answer } = await api.call(mePostList, { headers: me.headers, query });
      expect(lengths.concat(10)).toContain(answer.posts.length);
      expect(answer.total).toBe(150);
      return answer;
    };
    const expected = Array.from({ length: 150 }, (__, index) => String(index + 1));
    const forwards: string[] = [];
    let page = await list();
    for (;;) {
      forwards.push(...page.posts.map(({ content }) => content));
      if (!page.cursors?.next) break;
      page = await list(page.cursors.next);
    }
    expect(forwards).toEqual(expected);
    const backwards = page.posts.map(({ content }) => content);
    while (page.cursors?.previous) {
      page = await list(page.cursors.previous);
      backwards.unshift(...page.posts.map(({ content }) => content));
    }
    expect(backwards).toEqual(expected);
  });
});

describe.each(EITHER)('posts of a member that are refused on %s', (engine) => {
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

  test('from the page of a member who is no longer the one signed in are refused', async () => {
    const [me, other] = [await startMember(api), await startMember(api)];
    const refused = await me.schedule({}, { 'x-person': other.userId });
    expect(refusal(refused)).toEqual(catalogued('session_ended'));
    expect(await countPosts(api, me.userId)).toBe(0);
    // Who it is now can be read, and the session goes on.
    const headers = { ...me.headers, 'x-person': other.userId };
    expect((await api.call(meGet, { headers })).answer.user.id).toBe(me.userId);
    expect((await me.schedule({}, { 'x-person': me.userId })).status).toBe(201);
  });

  test('with the picture of another member are refused', async () => {
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
});

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
  ])('%s', async (_, limits, bodies, expected) => {
    const me = await startMember(api, limits);
    const found = [];
    for (const body of bodies) found.push(outcomeOf(await me.schedule(body)));
    expect(found).toEqual(expected);
  });

  test('the past', async () => {
    const me = await startMember(api, {});
    expect(outcomeOf(await me.schedule({ scheduledAt: inHours(-1) }))).toBe('scheduledAt');
    expect(outcomeOf(await me.schedule({ scheduledAt: inHours(0) }))).toBe(OK);
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
      expect(await countPosts(api, me.userId)).toBe(3);
    },
  );

  test('api_rate_limit_per_hour is one for the page and tokens, and calls that may not be made spend none', async () => {
    const me = await startMember(api, { api_rate_limit_per_hour: 3 });
    const ways = await waysIn(api, me.userId, adminId);
    const [, own, service] = ways;
    const body = { content: 'Hello', scheduledAt: at(1) };
    const refused = [
      api.call(meTokenCreate, { headers: own, body: { name: 'a', expiresAt: at(1) } }),
      api.call(meSignOut, { headers: service }),
      api.call(mePostCreate, { headers: { ...own, [MEMBER_HEADER]: 'did:plc:another' }, body }),
      api.call(mePostCreate, { headers: { authorization: `Bearer mer_${'a'.repeat(43)}` }, body }),
    ];
    const refusals = (await Promise.all(refused)).map(({ status }) => status);
    expect(refusals).toEqual([403, 403, 403, 401]);
    const calls = Array.from({ length: 20 }, (_, n) =>
      api.call(mePostCreate, { headers: ways[n % 3] ?? {}, body }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
  });

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
