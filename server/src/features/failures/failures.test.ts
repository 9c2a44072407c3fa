import { bulkPreview, bulkStart } from '@meridian/contract/bulk';
import { CAUSES, postRetry } from '@meridian/contract/causes';
import { failureList } from '@meridian/contract/failures';
import { postDelete, postGet, postList } from '@meridian/contract/posts';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import { insertDelivery } from '../../../test/engine-fixtures.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { runBulkChange } from '../bulk/bulk-job.ts';
import { keptWhile } from './failures.ts';

const DID = 'did:plc:author';

/** Five kinds, 500 in all, each over a day but the last, which failed within an hour. */
const KINDS = [
  { cause: null, error: 'EHOSTUNREACH 10.0.0.7', count: 23 },
  { cause: 'unknown_outcome', error: 'Never confirmed', count: 37 },
  { cause: 'host_down', error: 'HTTP 502', count: 240 },
  { cause: 'too_long', error: 'Too long', count: 120 },
  { cause: 'reconnect', error: 'Revoked', count: 80 },
];

describe.each(EITHER)('failures on %s', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });
  let token: string;
  let people: string[];

  beforeAll(async () => {
    ({ token } = await api.signIn());
    people = [
      await insertUser(api.db, { did: DID, handle: 'author.test' }),
      await insertUser(api.db),
    ];
  });
  beforeEach(async () => {
    for (const table of [sql`posts`, sql`deliveries`, sql`local_records`]) {
      await api.db.execute(sql`delete from ${table}`);
    }
  });

  /** Failed posts, the first a minute ago and each further one earlier. Returns the ids. */
  async function fail(
    { cause, error, count }: (typeof KINDS)[number],
    { authors = people, everySeconds = 300, agoSeconds = 60 } = {},
  ): Promise<string[]> {
    const rows = await api.db.many<{ id: string }>(sql`
      insert into posts (id, user_id, content, status, scheduled_at, updated_at, cause, error_msg)
      select gen_random_uuid(), (${authors}::uuid[])[1 + n % ${authors.length}::integer],
        'Post ' || n, 'FAILED', failed_at, failed_at, ${cause}::text, ${error}::text
      from generate_series(0, ${count - 1}::integer) as n,
        lateral (select now() - make_interval(secs => ${agoSeconds} + n * ${everySeconds})) as t (failed_at)
      returning id`);
    return rows.map(({ id }) => id);
  }
  const report = async (window = '24h') =>
    (await api.call(failureList, { token, query: { window } })).answer;
  const retry = (id: string) => api.call(postRetry, { token, params: { id } });
  /** Retries all of a cause as one change; what it said before, and the results by post. */
  async function retryAll(cause: string) {
    const { from, to } = await report('30d');
    const selection = { posts: { cause, failedFrom: from, failedTo: to } };
    const body = { action: 'postRetry', selection };
    const { answer: bound } = await api.call(bulkPreview, { token, body });
    const typed = { token: bound.token, typedCount: bound.count };
    const { id } = (await api.call(bulkStart, { token, body: typed })).answer.change;
    await runBulkChange(api.db, api.context, { id });
    const rows = await api.db.many<{ row_id: string; result: string; message: string | null }>(sql`
      select row_id, result, message from bulk_change_rows where change_id = ${id}`);
    const resultOf = (result: string) => rows.filter((row) => row.result === result);
    return { bound, done: resultOf('done'), skipped: resultOf('skipped') };
  }

  test('a report is made again only after a failure, a retry, or a minute', async () => {
    const kind = { cause: 'host_down', error: 'HTTP 502', count: 3 };
    const [id = ''] = await fail(kind);
    // A minute may begin between any two reads.
    await expect.poll(async () => (await report()).to === (await report()).to).toBe(true);

    await fail(kind, { agoSeconds: 30 });
    expect(await report()).toMatchObject({ total: 6 });
    await retry(id);
    expect((await report()).groups[0]).toMatchObject({ count: 6, retried: 1 });
    await api.db.execute(sql`delete from posts where status = 'FAILED' and id <> ${id}`);
    await fail(kind, { agoSeconds: 20 });
    expect((await report()).groups[0]).toMatchObject({ count: 4, retried: 1 });
  });

  test('500 of 5 kinds are 5 groups, the unknown one ours and first, each with its list', async () => {
    for (const kind of KINDS) await fail(kind);
    const { from, to, total, isCapped, groups } = await report();
    expect([total, isCapped]).toEqual([500, false]);
    expect(groups.map(({ cause, count }) => [cause, count])).toEqual([
      [null, 23],
      ['host_down', 240],
      ['too_long', 120],
      ['reconnect', 80],
      ['unknown_outcome', 37],
    ]);
    expect(groups[0]).toMatchObject({
      error: 'EHOSTUNREACH 10.0.0.7',
      sentence: 'EHOSTUNREACH 10.0.0.7',
      owner: 'us',
      people: 2,
      share: 23 / 500,
      retried: 0,
      retryable: 0,
    });
    expect(groups[1]).toMatchObject({
      owner: 'network',
      sentence: 'The host responds with errors',
      advice: CAUSES.host_down.advice,
      retryable: 240,
    });
    for (const group of groups) {
      expect(group.trend).toHaveLength(24);
      expect(group.trend.reduce((sum, part) => sum + part, 0)).toBe(group.count);
      expect(group.samples).toHaveLength(3);
      expect(group.samples[0]?.failedAt).toBe(group.lastAt);
      const { cause, error } = group;
      const named = cause === null ? { cause: 'unknown', error: error ?? '' } : { cause };
      const query = { failedFrom: from, failedTo: to, ...named };
      const list = (await api.call(postList, { token, query })).answer;
      expect([cause, list.total]).toEqual([cause, group.count]);
    }
  });

  test('counts what failed within the window, the last texts together', async () => {
    await fail({ cause: 'host_down', error: '', count: 1 }, { agoSeconds: 86_400 + 60 });
    for (let number = 1; number <= 22; number += 1) {
      await fail({ cause: number % 2 ? null : 'of_tomorrow', error: `Text ${number}`, count: 1 });
    }
    await fail({ cause: null, error: '', count: 2 });
    const { total, groups } = await report();
    expect([total, groups.length]).toEqual([24, 21]);
    expect(groups[0]).toMatchObject({ sentence: 'No error was recorded', count: 2 });
    expect(groups.find(({ error }) => error === null)).toMatchObject({
      sentence: 'Other errors without a known cause',
      count: 3,
    });
    const single = groups.filter(({ count }) => count === 1).map(({ error }) => error ?? '');
    expect(single).toEqual(single.toSorted());
    expect((await report('7d')).total).toBe(25);
    expect((await report('7d')).groups.at(-1)?.trend).toHaveLength(28);
  });

  test('a retry is a new post due now that names the old one, and there is one', async () => {
    const [id = ''] = await fail({ cause: 'too_late', error: 'Late', count: 1 });
    const { post } = (await retry(id)).answer;
    expect(post).toMatchObject({ status: 'PENDING', content: 'Post 0', retry_of: id, cause: null });
    expect(Math.abs(Date.parse(post.scheduled_at) - Date.now())).toBeLessThan(60_000);
    const old = (await api.call(postGet, { token, params: { id } })).answer.post;
    expect(old).toMatchObject({ status: 'FAILED', retried_as: post.id, retry_of: null });
    expect(refusal(await retry(id))).toEqual(catalogued('post_already_retried'));
    expect((await report()).groups[0]).toMatchObject({ count: 1, retried: 1 });
    await api.db.execute(sql`delete from posts where id = ${id}`);
    const orphan = (await api.call(postGet, { token, params: { id: post.id } })).answer.post;
    expect(orphan.retry_of).toBeNull();
  });

  test('deleting a published retry makes nothing public twice, nor does deleting one in between', async () => {
    const [id = ''] = await fail({ cause: 'host_down', error: 'HTTP 502', count: 1 });
    const remove = (post: string) => api.call(postDelete, { token, params: { id: post } });
    const first = (await retry(id)).answer.post.id;
    // A change of status takes the cause away.
    await api.db.execute(sql`update posts set status = 'FAILED' where id = ${first}`);
    await api.db.execute(sql`update posts set cause = 'host_down' where id = ${first}`);
    const second = (await retry(first)).answer.post.id;
    await remove(first);
    expect(refusal(await retry(id))).toEqual(catalogued('post_already_retried'));

    const uri = 'at://did:plc:a/app.bsky.feed.post/b';
    await api.db.execute(sql`
      update posts set status = 'COMPLETED', at_uri = ${uri}, at_rkey = 'b' where id = ${second}`);
    await remove(second);
    expect(refusal(await retry(id))).toEqual(catalogued('post_already_published'));
  });

  test('ten requests at once make one retry', async () => {
    const [id = ''] = await fail({ cause: 'host_down', error: 'HTTP 502', count: 1 });
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await retry(id)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
    const made = await api.db.many(sql`select from posts where retry_of = ${id}`);
    expect(made).toHaveLength(1);
  });

  test('retrying 37 skips the one that is published already, and says so', async () => {
    const ids = await fail(KINDS[1] ?? { cause: null, error: '', count: 0 }, {
      authors: people.slice(0, 1),
    });
    const [out = ''] = ids;
    const at = new Date().toISOString();
    for (const [index, id] of ids.entries()) {
      const journal = { claimedAt: at, outcome: 'unknown', host: 'local', rkeys: [`3k${index}`] };
      await insertDelivery(api.db, { id, userId: people[0] ?? '', did: DID }, journal);
    }
    await api.db.execute(sql`
      insert into local_records (did, collection, rkey, cid, record)
      values (${DID}, 'app.bsky.feed.post', '3k0', 'bafyrei-3k0', '{}')`);
    const message = 'The post is published already, so it was not retried';
    const { bound, done, skipped } = await retryAll('unknown_outcome');
    expect(bound).toMatchObject({ count: 37, skipped: [] });
    expect(bound.consequences[0]).toBe(
      '37 posts will be scheduled again, each as a new post that is due now and names the old one.',
    );
    expect(done).toHaveLength(36);
    expect(skipped).toEqual([{ row_id: out, result: 'skipped', message }]);
    expect((await report()).groups[0]).toMatchObject({
      count: 37,
      retried: 36,
      retryable: 0,
    });
    const old = (await api.call(postGet, { token, params: { id: out } })).answer.post;
    expect(old).toMatchObject({ status: 'FAILED', at_uri: `at://${DID}/app.bsky.feed.post/3k0` });
    const again = await retryAll('unknown_outcome');
    expect(again.bound.skipped).toEqual([
      { reason: message, count: 1 },
      { reason: 'The post was retried already', count: 36 },
    ]);
    expect([again.done, again.skipped.length]).toEqual([[], 37]);
    const { total } = (await api.call(postList, { token, query: { status: 'PENDING' } })).answer;
    expect(total).toBe(36);
  });

  test.each([
    ['a cause that stays', 'FAILED', 'too_long', null, 'post_not_retryable'],
    ['no known cause', 'FAILED', null, null, 'post_not_retryable'],
    ['an address', 'FAILED', 'unknown_outcome', 'at://x', 'post_already_published'],
    ['another status', 'CANCELLED', 'host_down', null, 'post_not_retryable'],
  ] as const)('refuses a post with %s', async (_, status, cause, uri, code) => {
    const id = '01890000-0000-7000-8000-000000000002';
    await api.db.execute(sql`
      insert into posts (id, user_id, content, status, scheduled_at, cause, at_uri)
      values (${id}, ${people[0]}, 'Words', ${status}, now(), ${cause}, ${uri})`);
    expect(refusal(await retry(id))).toEqual(catalogued(code));
  });

  test('refuses while the host does not say whether the post is published', async () => {
    const off = await startTestApp(engine, { env: { NETWORK: 'off' } });
    try {
      const session = await off.signIn();
      const userId = await insertUser(off.db, { did: DID });
      const id = '01890000-0000-7000-8000-000000000001';
      await off.db.execute(sql`
        insert into posts (id, user_id, content, status, scheduled_at, cause)
        values (${id}, ${userId}, 'Words', 'FAILED', now(), 'unknown_outcome')`);
      const journal = { claimedAt: new Date().toISOString(), outcome: 'unknown' };
      await insertDelivery(off.db, { id, userId, did: DID }, journal);
      const response = await off.call(postRetry, { token: session.token, params: { id } });
      expect(refusal(response)).toEqual(catalogued('post_outcome_unknown'));
    } finally {
      await off.close();
    }
  });

  test('refuses what it does not know', async () => {
    expect(refusal(await retry('01890000-0000-7000-8000-000000000000'))).toEqual(
      catalogued('post_not_found'),
    );
    const wrong = await api.call(failureList, { token, query: { window: '1y' } });
    expect(refusal(wrong)).toEqual(
      catalogued('invalid_input', 'window must be one of 24h, 7d, 30d'),
    );
  });
});

test('is made once for each version, and once for all who ask at the same time', async () => {
  let version = 'a';
  const make = vi.fn<() => Promise<object>>(() => Promise.resolve({}));
  const read = keptWhile(() => Promise.resolve(version), make);
  const [first, second] = await Promise.all([read(), read()]);
  expect(second).toBe(first);
  expect(await read()).toBe(first);
  expect(make).toHaveBeenCalledTimes(1);

  version = 'b';
  expect(await read()).not.toBe(first);
  expect(make).toHaveBeenCalledTimes(2);
});

test('a failure is told and not kept', async () => {
  const make = vi.fn<() => Promise<string>>(() => Promise.resolve('made'));
  make.mockRejectedValueOnce(new Error('gone'));
  const read = keptWhile(() => Promise.resolve('a'), make);
  await expect(Promise.all([read(), read()])).rejects.toThrow('gone');
  expect(make).toHaveBeenCalledTimes(1);
  await expect(read()).resolves.toBe('made');
});
