import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';
import { claimPosts } from './claim.store.ts';
import { journal, readJournal } from './journal.store.ts';
import {
  planLook,
  renewLeases,
  settleFenced,
  settlePublished,
  settleUnpublished,
} from './settle.store.ts';
import type { Published, Unpublished } from './settle.store.ts';

const MINUTE = 60_000;
const OPTIONS = {
  lookaheadMs: 1_000,
  leaseMs: 15_000,
  lateLimitMs: 60 * MINUTE,
  defaultHost: 'local',
};

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
const published = (id: string, attempt: number): Published => ({
  postId: id,
  attempt,
  outcome: 'published',
  atUri: `at://did:plc:ada/app.bsky.feed.post/${id.slice(-12)}`,
  rkey: id.slice(-12),
  sentAt: Date.now(),
  note: null,
});
const unpublished = (id: string, attempt: number): Unpublished => ({
  postId: id,
  attempt,
  status: 'PENDING',
  next: 'planned',
  hold: null,
  cause: null,
  sentence: null,
  outcome: null,
  isUnsent: true,
  call: null,
});

describe.each(ENGINES)('claims on %s', (engine) => {
  let api: TestApp;
  let ada: string;
  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.db.execute(sql`delete from users`);
    await api.db.execute(sql`delete from catch_up`);
    await api.db.execute(
      sql`update service_settings set is_service_suspended = false, resumed_at = null`,
    );
    ada = await insertUser(api.db);
  });

  const due = (minutesAgo = 0, user = ada) =>
    insertPost(api.db, user, { status: 'PENDING', scheduled_at: inMinutes(-minutesAgo) });
  const claim = (options = {}) => claimPosts(api.db, { ...OPTIONS, ...options });
  const ids = async () => (await claim()).posts.map(({ id }) => id);
  const post = (id: string) =>
    api.db.one<Record<string, unknown>>(sql`
      select status, hold, cause, error_msg, attempt, version, at_uri, claim_at::text,
        claim_at = 'infinity' as is_held from posts where id = ${id}`);

  async function claimed(minutesAgo = 0) {
    const id = await due(minutesAgo);
    const [found] = (await claim()).posts;
    if (found === undefined) throw new Error('Nothing was claimed');
    expect(found.id).toBe(id);
    return found;
  }
  const write = {
    rkey: '3kabc',
    cid: 'bafy',
    record: { $type: 'app.bsky.feed.post', text: '', createdAt: '' },
  } as const;

  test('take what is due or nearly so, oldest first, and nothing twice', async () => {
    const [late, later] = [await due(3), await due(1)];
    await insertPost(api.db, ada, { status: 'PENDING', scheduled_at: inMinutes(1) });
    for (const status of ['COMPLETED', 'FAILED', 'CANCELLED'] as const) {
      await insertPost(api.db, ada, { status, scheduled_at: inMinutes(-1) });
    }
    const first = await claim();
    expect(first.posts.map(({ id }) => id).toSorted()).toEqual([late, later].toSorted());
    expect(await post(late)).toMatchObject({ status: 'PROCESSING', attempt: 1, version: 2 });
    expect(await ids()).toEqual([]);
  });

  test('come again when the lease has ended, with a higher fencing number', async () => {
    const { id } = await claimed();
    await api.db.execute(sql`update posts set claim_at = now() where id = ${id}`);
    const [again] = (await claim()).posts;
    expect(again).toMatchObject({ id, attempt: 2, wasPending: false });
    expect(await settlePublished(api.db, [published(id, 1)])).toHaveLength(1);
    expect(await settlePublished(api.db, [published(id, 2)])).toEqual([]);
    expect(await post(id)).toMatchObject({ status: 'COMPLETED', claim_at: null });
  });

  test('renew leases without waiting for a post that is being settled', async () => {
    const [settling, waiting] = [await claimed(), await claimed()];
    await api.db.transaction(async (tx) => {
      await tx.execute(sql`select from posts where id = ${settling.id} for no key update`);
      await renewLeases(api.db, [settling, waiting], 60 * MINUTE);
    });
    const renewed = await api.db.many(sql`
      select id from posts where claim_at > now() + interval '30 minutes'`);
    expect(renewed).toEqual([{ id: waiting.id }]);
  });

  test('take nothing while the service is suspended', async () => {
    const id = await due();
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    expect(await ids()).toEqual([]);
    expect(await post(id)).toMatchObject({ status: 'PENDING', hold: null });
    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
    expect(await ids()).toEqual([id]);
  });

  test.each([
    ['inactive', sql`is_active = false`, sql`is_active = true`],
    ['suspended', sql`status = 'SUSPENDED'`, sql`status = 'ACTIVE'`],
    ['blocked', sql`status = 'BLOCKED'`, sql`status = 'RESTRICTED'`],
  ])('hold the posts of a user who is %s, until that ends', async (_, off, on) => {
    const id = await due();
    await api.db.execute(sql`update users set ${off} where id = ${ada}`);
    expect(await claim()).toMatchObject({ posts: [], held: 1 });
    expect(await post(id)).toMatchObject({
      status: 'PENDING',
      hold: 'user_off',
      is_held: true,
      version: 1,
    });
    expect(await ids()).toEqual([]);
    await api.db.execute(sql`update users set ${on} where id = ${ada}`);
    expect(await ids()).toEqual([id]);
  });

  test('hold the posts of users who have to connect their account', async () => {
    const id = await due();
    expect(await claim({ defaultHost: null })).toMatchObject({ posts: [], held: 1 });
    expect(await post(id)).toMatchObject({ hold: 'reconnect' });
    await api.db.execute(
      sql`insert into accounts (user_id, host) values (${ada}, 'https://pds.test')`,
    );
    expect((await claim({ defaultHost: null })).posts).toMatchObject([
      { id, host: 'https://pds.test' },
    ]);
  });

  test('fail what is past the late limit, in a sentence', async () => {
    const id = await due(61);
    expect(await claim()).toMatchObject({ posts: [], tooLate: 1 });
    expect(await post(id)).toMatchObject({ status: 'FAILED', cause: 'too_late', claim_at: null });
    expect((await post(id)).error_msg).toMatch(/61 min late, the limit is 60 min/);
  });

  test('judge what waited for a suspension as of its end', async () => {
    const id = await due(61);
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    await api.db.execute(sql`
      update service_settings set is_service_suspended = false`);
    await api.db.execute(
      sql`update service_settings set resumed_at = now() - interval '2 minutes'`,
    );
    expect(await ids()).toEqual([id]);
  });

  test('let a backlog out one post per user and schedule interval', async () => {
    const ben = await insertUser(api.db);
    const posts = [await due(50), await due(40), await due(30)];
    const other = await due(45, ben);
    const first = await claim();
    expect(first.posts.map(({ id }) => id).toSorted()).toEqual(
      [String(posts[0]), other].toSorted(),
    );
    const rows = await api.db.many<{ minutes: number; hold: string }>(sql`
      select round(extract(epoch from claim_at - now()) / 60)::integer as minutes, hold
      from posts where id = any(${posts.slice(1)}) order by scheduled_at`);
    expect(rows).toEqual([
      { minutes: 1, hold: 'catch_up' },
      { minutes: 2, hold: 'catch_up' },
    ]);
    // A turn is kept, however late the post is by then.
    await api.db.execute(sql`
      update posts set claim_at = now(), scheduled_at = scheduled_at - interval '3 hours' where id = ${posts[1]}`);
    expect(await ids()).toEqual([posts[1]]);
  });

  test('one impossible row, written by hand, keeps no other post from being claimed', async () => {
    const late = await due();
    await api.db.execute(sql`update posts set scheduled_at = '-infinity' where id = ${late}`);
    const endless = await due();
    await api.db.execute(
      sql`update posts set scheduled_at = 'infinity', status = 'PROCESSING' where id = ${endless}`,
    );
    const closed = await insertPost(api.db, ada, { status: 'COMPLETED' });
    await api.db.execute(sql`update posts set claim_at = now() where id = ${closed}`);
    const other = await due();
    expect((await ids()).toSorted()).toEqual([endless, other].toSorted());
    expect(await post(late)).toMatchObject({ status: 'FAILED', cause: 'too_late' });
    expect(await post(closed)).toMatchObject({ status: 'COMPLETED', claim_at: null });
  });

  test('a post of next year that is to be claimed now, by hand, is planned for its time', async () => {
    const id = await due(-365 * 24 * 60);
    const planned = await post(id);
    await api.db.execute(
      sql`update posts set claim_at = now() - interval '1 hour' where id = ${id}`,
    );
    expect(await ids()).toEqual([]);
    expect(await post(id)).toEqual(planned);
  });

  test("'Publish now' is claimed at once, before its time", async () => {
    const id = await insertPost(api.db, ada, { status: 'PENDING', scheduled_at: inMinutes(600) });
    await api.db.execute(sql`update posts set status = 'PROCESSING' where id = ${id}`);
    const [found] = (await claim()).posts;
    expect(found).toMatchObject({ id, wasPending: false });
    expect(found?.dueAt).toBeLessThan(Date.now() + MINUTE);
  });

  test('a post with pictures is claimed some seconds ahead', async () => {
    const id = await insertPost(api.db, ada, { status: 'PENDING', scheduled_at: inMinutes(1) });
    await api.db.execute(
      sql`update posts set embed = '{}', scheduled_at = now() + interval '5.5 seconds' where id = ${id}`,
    );
    const [found] = (await claim()).posts;
    expect(found?.dueAt).toBeGreaterThan(Date.now() + 2_000);
  });

  test('what was never sent is given back whole: PENDING, planned, without a journal entry', async () => {
    const found = await claimed();
    await journal(api.db, [{ post: found, writes: [write] }]);
    expect(await settleUnpublished(api.db, [unpublished(found.id, 1)])).toBe(0);
    expect(await post(found.id)).toMatchObject({ status: 'PENDING', hold: null });
    expect((await readJournal(api.db, [found])).size).toBe(0);
    expect(await ids()).toEqual([found.id]);
  });

  test('a retry keeps the journal and knows whether something was sent', async () => {
    const found = await claimed();
    await journal(api.db, [{ post: found, writes: [write] }]);
    const retry = {
      status: 'PROCESSING',
      next: { inMs: 0 },
      cause: 'host_down',
      sentence: 'Down',
    } as const;
    await settleUnpublished(api.db, [{ ...unpublished(found.id, 1), ...retry }]);
    const [second] = (await claim()).posts;
    if (second === undefined) throw new Error('Not claimed again');
    expect(second).toMatchObject({ attempt: 2, previousCause: 'host_down' });
    const journalled = await journal(api.db, [{ post: second, writes: [] }]);
    expect(journalled.get(found.id)).toMatchObject({
      writes: [write],
      maybeSent: false,
      failures: 0,
    });
    const now = Date.now();
    const call = {
      startedAt: now,
      endedAt: now,
      host: 'local',
      httpStatus: 502,
      error: '',
      worker: '',
    };
    await settleUnpublished(api.db, [
      { ...unpublished(found.id, 2), ...retry, isUnsent: false, call },
    ]);
    const [third] = (await claim()).posts;
    if (third === undefined) throw new Error('Not claimed again');
    expect((await readJournal(api.db, [third])).get(found.id)).toMatchObject({
      maybeSent: true,
      failures: 1,
    });
  });

  test('a change by hand while a worker has the post fences the worker', async () => {
    const found = await claimed();
    await journal(api.db, [{ post: found, writes: [write] }]);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${found.id}`);
    expect(await settleUnpublished(api.db, [unpublished(found.id, 1)])).toBe(1);
    expect(await post(found.id)).toMatchObject({ status: 'CANCELLED' });
    expect((await readJournal(api.db, [found])).size).toBe(0);
  });

  test('what was decided by hand after a claim is looked at once more, and not published', async () => {
    const { id } = await claimed();
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${id}`);
    await api.db.execute(sql`update posts set claim_at = now() where id = ${id}`);
    expect(await claim()).toMatchObject({ posts: [], decided: [{ id, attempt: 1 }] });
    expect(await claim()).toMatchObject({ posts: [], decided: [] });
    await planLook(api.db, id, null);
    expect(await post(id)).toMatchObject({ status: 'CANCELLED', attempt: 1, claim_at: null });
  });

  test.each([
    ['CANCELLED', 'CANCELLED', 'published_after_cancel'],
    ['FAILED', 'FAILED', 'published_after_cancel'],
    ['PENDING', 'COMPLETED', null],
    ['COMPLETED', 'COMPLETED', null],
  ])('published although set to %s by hand: ends %s, with its address', async (by, ends, cause) => {
    const { id } = await claimed();
    await api.db.execute(sql`update posts set status = ${by} where id = ${id}`);
    const settled = published(id, 1);
    expect(await settlePublished(api.db, [settled])).toEqual([settled]);
    await settleFenced(api.db, settled);
    expect(await post(id)).toMatchObject({
      status: ends,
      cause,
      at_uri: settled.atUri,
      claim_at: null,
    });
  });

  test('published although deleted: the audit log has its address', async () => {
    const { id } = await claimed();
    await api.db.execute(sql`delete from posts where id = ${id}`);
    await settleFenced(api.db, published(id, 1));
    const entry = await api.db.one(sql`
      select action, actor_name, after from audit_log where entity_id = ${id}`);
    expect(entry).toEqual({
      action: 'postPublishedAfterDelete',
      actor_name: 'engine',
      after: { at_uri: published(id, 1).atUri },
    });
  });
});
