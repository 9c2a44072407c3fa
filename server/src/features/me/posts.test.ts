import {
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
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
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

describe.each(EITHER)('the posts of a person on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  const stored = (id: string) =>
    api.db.one<Record<string, unknown>>(sql`select * from posts where id = ${id}`);

  test('need the session of that person', async () => {
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

  test('of an unknown outcome are retried only by a person who looked', async () => {
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
