import { describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { sql } from '../db/sql.ts';
import { claimDeleted, planLook } from './confirm.ts';
import { countFaults, journal, readJournal } from './journal.ts';
import { renewLeases, settleFenced, settlePublished, settleUnpublished } from './settle.ts';
import type { Published, Unpublished } from './settle.ts';
import { MINUTE, setUpClaims } from './testing/claims.ts';

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

const write = {
  rkey: '3kabc',
  cid: 'bafyreidsr2bikvgcfynamb5zq3knfu5kbmybzxwhbpauve3tarnnimkb6u',
  record: { $type: 'app.bsky.feed.post', text: '', createdAt: '' },
} as const;

/** What is left of it when its post is deleted. */
const KEYS = { rkey: write.rkey, cid: write.cid };

describe.each(ENGINES)('claimed posts on %s', (engine) => {
  const { db, claim, claimed, ids, post } = setUpClaims(engine);

  test('come again when the lease has ended, with a higher fencing number', async () => {
    const { id } = await claimed();
    await db().execute(sql`update posts set claim_at = now() where id = ${id}`);
    const [again] = (await claim()).posts;
    expect(again).toMatchObject({ id, attempt: 2, wasPending: false });
    expect(await settlePublished(db(), [published(id, 1)])).toHaveLength(1);
    expect(await settlePublished(db(), [published(id, 2)])).toEqual([]);
    expect(await post(id)).toMatchObject({ status: 'COMPLETED', claim_at: null });
  });

  test('renew leases without waiting for a post that is being settled', async () => {
    const [settling, waiting] = [await claimed(), await claimed()];
    await db().transaction(async (tx) => {
      await tx.execute(sql`select from posts where id = ${settling.id} for no key update`);
      await renewLeases(db(), [settling, waiting], 60 * MINUTE);
    });
    const renewed = await db().many(sql`
      select id from posts where claim_at > now() + interval '30 minutes'`);
    expect(renewed).toEqual([{ id: waiting.id }]);
  });

  test('settle what is free while another transaction has a post locked', async () => {
    const [locked, deleted] = [await claimed(), await claimed()];
    const [free, given] = [await claimed(), await claimed()];
    await journal(db(), [{ post: deleted, writes: [write] }]);
    await db().transaction(async (tx) => {
      await tx.execute(sql`update posts set content = 'edited' where id = ${locked.id}`);
      await tx.execute(sql`delete from posts where id = ${deleted.id}`);
      const three = [locked, deleted, free].map(({ id }) => published(id, 1));
      expect(await settlePublished(db(), three, 'skip')).toEqual(three.slice(0, 2));
      const back = [unpublished(locked.id, 1), unpublished(given.id, 1)];
      expect(await settleUnpublished(db(), back, 'skip')).toEqual([back[0]]);
      expect(await post(free.id)).toMatchObject({ status: 'COMPLETED' });
      expect(await post(given.id)).toMatchObject({ status: 'PENDING' });
    });
    expect(await post(locked.id)).toMatchObject({ status: 'PROCESSING' });
    expect(await settlePublished(db(), [published(locked.id, 1)])).toEqual([]);
    expect(await post(locked.id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('what was never sent is given back whole: PENDING, planned, without a journal entry', async () => {
    const found = await claimed();
    await journal(db(), [{ post: found, writes: [write] }]);
    expect(await settleUnpublished(db(), [unpublished(found.id, 1)])).toEqual([]);
    expect(await post(found.id)).toMatchObject({ status: 'PENDING', hold: null });
    expect((await readJournal(db(), [found])).size).toBe(0);
    expect(await ids()).toEqual([found.id]);
  });

  test('a turn that is given back is not for a post that was rescheduled meanwhile', async () => {
    const holds = [];
    for (const hours of [1, 0]) {
      const { id, attempt } = await claimed();
      await db().execute(sql`
        update posts set scheduled_at = scheduled_at + make_interval(hours => ${hours}) where id = ${id}`);
      await settleUnpublished(db(), [{ ...unpublished(id, attempt), hold: 'catch_up' }]);
      holds.push((await post(id))['hold']);
    }
    expect(holds).toEqual([null, 'catch_up']);
  });

  test('a clock behind the database does not date the send before the journal entry', async () => {
    const found = await claimed();
    await journal(db(), [{ post: found, writes: [write] }]);
    await settlePublished(db(), [{ ...published(found.id, 1), sentAt: Date.now() - MINUTE }]);
    const entry = sql`
      select sent_at >= journalled_at as ordered from deliveries where post_id = ${found.id}`;
    expect(await db().one(entry)).toEqual({ ordered: true });
  });

  test('a retry keeps the journal and knows whether something was sent', async () => {
    const found = await claimed();
    await journal(db(), [{ post: found, writes: [write] }]);
    const retry = {
      status: 'PROCESSING',
      next: { inMs: 0 },
      cause: 'host_down',
      sentence: 'Down',
    } as const;
    await settleUnpublished(db(), [{ ...unpublished(found.id, 1), ...retry }]);
    const [second] = (await claim()).posts;
    if (second === undefined) throw new Error('Not claimed again');
    expect(second).toMatchObject({ attempt: 2, previousCause: 'host_down' });
    const journalled = await journal(db(), [{ post: second, writes: [] }]);
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
    await settleUnpublished(db(), [
      { ...unpublished(found.id, 2), ...retry, isUnsent: false, call },
    ]);
    const [third] = (await claim()).posts;
    if (third === undefined) throw new Error('Not claimed again');
    expect((await readJournal(db(), [third])).get(found.id)).toMatchObject({
      maybeSent: true,
      failures: 1,
      faults: 0,
    });
    const fault = { cause: 'internal', isUnsent: true, call } as const;
    await settleUnpublished(db(), [{ ...unpublished(found.id, 3), ...retry, ...fault }]);
    const [fourth] = (await claim()).posts;
    if (fourth === undefined) throw new Error('Not claimed again');
    expect((await readJournal(db(), [fourth])).get(found.id)).toMatchObject({
      failures: 2,
      faults: 1,
    });
    expect(await countFaults(db(), found.id)).toBe(1);
  });

  test('may be sent again for a while after the first attempt that may have sent something', async () => {
    const now = Date.now();
    const found = await claimed();
    await journal(db(), [{ post: found, writes: [write] }]);
    await db().execute(sql`update deliveries set journalled_at = now() - interval '20 minutes'`);
    const firstSentAt = async (attempt: number) =>
      (await readJournal(db(), [{ ...found, attempt }])).get(found.id)?.firstSentAt ?? 0;
    const failAgain = async (attempt: number, isUnsent: boolean, startedAt: number) => {
      const call = {
        startedAt,
        endedAt: startedAt,
        host: '',
        httpStatus: 502,
        error: '',
        worker: '',
      };
      const retry = { status: 'PROCESSING', next: { inMs: 0 }, isUnsent, call } as const;
      await settleUnpublished(db(), [{ ...unpublished(found.id, attempt), ...retry }]);
      await claim();
    };
    await failAgain(1, true, now - 15 * MINUTE);
    // The second worker may have died after its request: it was made after the first attempt.
    expect(await firstSentAt(3)).toBe(now - 15 * MINUTE);
    await failAgain(2, false, now - 2 * MINUTE);
    await failAgain(3, false, now - MINUTE);
    expect(await firstSentAt(4)).toBe(now - 2 * MINUTE);
  });

  test('a change by hand while a worker has the post fences the worker', async () => {
    const found = await claimed();
    await journal(db(), [{ post: found, writes: [write] }]);
    await db().execute(sql`update posts set status = 'CANCELLED' where id = ${found.id}`);
    expect(await settleUnpublished(db(), [unpublished(found.id, 1)])).toHaveLength(1);
    expect(await post(found.id)).toMatchObject({ status: 'CANCELLED' });
    expect((await readJournal(db(), [found])).size).toBe(0);
  });

  test('what was decided by hand after a claim is looked at once more, and not published', async () => {
    const { id } = await claimed();
    await db().execute(sql`update posts set status = 'CANCELLED' where id = ${id}`);
    await db().execute(sql`update posts set claim_at = now() where id = ${id}`);
    expect(await claim()).toMatchObject({ posts: [], decided: [{ id, attempt: 1 }] });
    expect(await claim()).toMatchObject({ posts: [], decided: [] });
    await planLook(db(), id, null);
    expect(await post(id)).toMatchObject({ status: 'CANCELLED', attempt: 1, claim_at: null });
  });

  test.each([
    ['CANCELLED', 'CANCELLED', 'published_after_cancel'],
    ['FAILED', 'FAILED', 'published_after_cancel'],
    ['PENDING', 'COMPLETED', null],
    ['COMPLETED', 'COMPLETED', null],
  ])('published although set to %s by hand: ends %s, with its address', async (by, ends, cause) => {
    const { id } = await claimed();
    await db().execute(sql`update posts set status = ${by} where id = ${id}`);
    const settled = published(id, 1);
    expect(await settlePublished(db(), [settled])).toEqual([settled]);
    await settleFenced(db(), settled);
    expect(await post(id)).toMatchObject({
      status: ends,
      cause,
      at_uri: settled.atUri,
      claim_at: null,
    });
  });

  test('a post that was deleted while a worker had it is looked at, by one worker', async () => {
    const found = await claimed();
    await journal(db(), [{ post: found, writes: [write] }]);
    await db().execute(sql`delete from posts where id = ${found.id}`);
    expect(await claimDeleted(db(), MINUTE)).toEqual([]);
    await db().execute(sql`update deliveries set look_at = now() where post_id = ${found.id}`);
    const { id, did, host } = found;
    const expected = { post: { id, did, host, attempt: 0 }, entry: { writes: [write] } };
    expect(await claimDeleted(db(), MINUTE)).toMatchObject([expected]);
    expect(await claimDeleted(db(), MINUTE)).toEqual([]);
    await planLook(db(), id, 0);
    expect(await claimDeleted(db(), MINUTE)).toHaveLength(1);
    await planLook(db(), id, null);
    const entry = await db().one(sql`
      select look_at, outcome, settled_at is not null as is_settled, writes from deliveries where post_id = ${id}`);
    expect(entry).toEqual({ look_at: null, outcome: 'unknown', is_settled: true, writes: [KEYS] });
  });

  test('no text is kept of a post that was deleted after it was settled', async () => {
    const found = await claimed();
    await journal(db(), [{ post: found, writes: [write] }]);
    const call = { startedAt: 0, endedAt: 0, host: '', httpStatus: 502, error: '', worker: '' };
    const retry = { status: 'PROCESSING', next: { inMs: 0 }, isUnsent: false, call } as const;
    await settleUnpublished(db(), [{ ...unpublished(found.id, 1), ...retry }]);
    await claim();
    expect(await settlePublished(db(), [published(found.id, 2)])).toEqual([]);
    await db().execute(sql`delete from posts where id = ${found.id}`);
    const left = await db().one(sql`
      select (select writes from deliveries where post_id = ${found.id}) as writes,
        exists (select from delivery_attempts where post_id = ${found.id}) as "hasAttempts"`);
    expect(left).toEqual({ writes: [KEYS], hasAttempts: false });
  });

  test('published although deleted: the audit log has its address', async () => {
    const { id } = await claimed();
    await db().execute(sql`delete from posts where id = ${id}`);
    await settleFenced(db(), published(id, 1));
    const entry = await db().one(sql`
      select action, actor_name, after from audit_log where entity_id = ${id}`);
    expect(entry).toEqual({
      action: 'postPublishedAfterDelete',
      actor_name: 'engine',
      after: { at_uri: published(id, 1).atUri },
    });
  });
});
