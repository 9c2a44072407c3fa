import { bulkList, bulkResult } from '@meridian/contract/bulk';
import type { PostStatus } from '@meridian/contract/posts';
import { POST_STATUSES } from '@meridian/contract/posts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { bulkCalls } from '../../../test/bulk-calls.ts';
import type { Wanted } from '../../../test/bulk-calls.ts';
import { UNKNOWN } from '../../../test/changes/change.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { verifyChain } from '../../audit/verify.ts';
import { sql } from '../../db/sql.ts';
import { runBulkChange } from './bulk-job.ts';

describe.each(EITHER)('changing many rows on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  let bulk: ReturnType<typeof bulkCalls>;
  let author: string;
  beforeAll(async () => {
    admin = await api.signIn();
    bulk = bulkCalls(api, admin);
  });
  beforeEach(async () => {
    await api.db.execute(sql`delete from users`);
    author = await insertUser(api.db, { handle: 'runaway.test' });
  });

  test('a preview of 41 that becomes 42 asks again; then it is one bulk change, logged once', async () => {
    await bulk.posts(author, 41);
    await bulk.posts(author, 2, 'COMPLETED');
    const wanted: Wanted = { action: 'postCancel', selection: { posts: { status: 'PENDING' } } };
    const { answer: first } = await bulk.preview(wanted);
    expect(first).toMatchObject({
      count: 41,
      consequences: ['41 posts will be cancelled and not published.'],
      skipped: [],
    });
    expect(first.examples).toHaveLength(5);
    expect(first.examples[0]).toMatchObject({
      label: '@runaway.test: A scheduled post',
      state: 'PENDING',
      languages: ['en'],
    });
    const users = await bulk.preview({
      action: 'userActive',
      value: 'false',
      selection: { ids: [author] },
    });
    expect(users.answer.examples).toEqual([
      { id: author, label: '@runaway.test', state: 'ACTIVE' },
    ]);

    const untyped = await bulk.start({ token: first.token, typedCount: 40 });
    expect(untyped.error).toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'typedCount', message: 'Type 41 to confirm' }],
    });
    await bulk.posts(author, 1);
    const changed = await bulk.start({ token: first.token, typedCount: 41 });
    expect(changed).toMatchObject({
      status: 409,
      error: {
        code: 'bulk_set_changed',
        message: 'The set has changed: 1 row added, 0 removed. 42 match now.',
      },
    });

    const other = await api.signIn();
    const [mine, theirs] = [await bulk.preview(wanted), await bulk.preview(wanted, other)];
    const tokens = [mine.answer.token, theirs.answer.token];
    const reason = 'A script ran away';
    const why = { 'x-reason': encodeURIComponent(reason) };
    expect(refusal(await bulk.start({ token: tokens[0], typedCount: 42 }, other))).toEqual(
      catalogued('bulk_preview_expired'),
    );
    const started = await bulk.start({ token: tokens[0], typedCount: 42 }, admin, why);
    const again = await bulk.start({ token: tokens[1], typedCount: 42 }, other);
    const repeated = await bulk.start({ token: tokens[0], typedCount: 42 });
    const { id } = started.answer.change;
    expect([again, repeated].map(({ answer }) => answer.change.id)).toEqual([id, id]);

    await runBulkChange(api.db, api.context, { id });
    expect(await bulk.states()).toEqual({ CANCELLED: 42, COMPLETED: 2 });
    expect((await bulk.get(id)).answer.change).toMatchObject({
      state: 'DONE',
      total: 42,
      done: 42,
      failed: 0,
      skipped: 0,
      reason,
      madeBy: admin.username,
    });
    const { answer: listed } = await api.call(bulkList, { token: admin.token });
    expect(listed.changes[0]?.id).toBe(id);
    expect([...(await bulk.resultsOf(id)).values()]).toEqual(
      Array.from({ length: 42 }, () => 'done'),
    );

    const entries = await api.db.many(sql`
      select action, entity_id, reason, after from audit_log where batch = ${id} order by id`);
    expect(entries).toMatchObject([
      {
        action: 'bulkStart',
        entity_id: id,
        reason,
        after: { action: 'postCancel', total: 42, selection: wanted.selection },
      },
      { action: 'bulkFinish', after: { state: 'DONE', done: 42, failed: 0, skipped: 0 } },
    ]);
    expect((await verifyChain(api.db)).flaws).toEqual([]);
  });

  test('each row keeps the rules of the single call, and what is not allowed says why', async () => {
    const byStatus: Record<string, string> = {};
    for (const status of POST_STATUSES) {
      byStatus[status] = await insertPost(api.db, author, { status });
    }
    const ids = [...Object.values(byStatus), UNKNOWN.id, 'no id'];
    const selection = { ids };
    const { answer } = await bulk.preview({ action: 'postCancel', selection });
    expect(answer.count).toBe(5);
    expect(answer.consequences).toEqual([
      '2 posts will be cancelled and not published.',
      '1 post of them is being published and may be out already.',
    ]);
    const cannot = 'Only a pending or processing post can be cancelled';
    expect(answer.skipped).toEqual([{ reason: cannot, count: 3 }]);

    const result = await bulk.change({ action: 'postCancel', selection });
    const of = (status: PostStatus) => result.get(byStatus[status] ?? '');
    expect(POST_STATUSES.map(of)).toEqual(
      POST_STATUSES.map((one) =>
        one === 'PENDING' || one === 'PROCESSING' ? 'done' : `skipped: ${cannot}`,
      ),
    );
    const set = await bulk.change({ action: 'postStatus', value: 'PENDING', selection });
    expect([...set.values()].toSorted()).toEqual([
      'done',
      'done',
      'done',
      'skipped: The status of a completed or failed post cannot be changed',
      'skipped: The status of a completed or failed post cannot be changed',
    ]);
    expect(await bulk.states()).toEqual({ PENDING: 3, COMPLETED: 1, FAILED: 1 });
    await api.db.execute(sql`
      update posts set cause = 'host_down' where id = ${byStatus['FAILED']}`);
    const retried = await bulk.change({ action: 'postRetry', selection });
    expect(retried.get(byStatus['FAILED'] ?? '')).toBe('done');
    expect([...retried.values()].filter((result) => result !== 'done')).toEqual(
      Array.from(
        { length: 4 },
        () => 'skipped: Only a failed post whose cause allows it can be retried',
      ),
    );
    expect(await bulk.states()).toEqual({ PENDING: 4, COMPLETED: 1, FAILED: 1 });
    await bulk.change({ action: 'postDelete', selection: { posts: { userId: author } } });
    expect(await bulk.states()).toEqual({});
    const { was } = await api.db.one<{ was: object }>(sql`
      select was from bulk_change_rows where row_id = ${byStatus['FAILED']} and was ? 'content_sha256'`);
    expect(was).toMatchObject({ user_id: author, status: 'FAILED' });
  });

  test('people, tickets and assignments are changed by the same rules', async () => {
    await bulk.posts(author, 3);
    const { assignmentId, ticketId } = await grantPlan(api.db, author, {
      code: 'ABCD-EFGH-JKLM-NPQR',
    });
    await api.db.execute(sql`select apply_counter_deltas()`);
    const users = { users: { search: 'runaway' } };
    const { answer } = await bulk.preview({
      action: 'userStatus',
      value: 'BLOCKED',
      selection: users,
    });
    expect(answer.consequences).toEqual([
      '1 user will be set to BLOCKED.',
      '3 scheduled posts will not be published meanwhile.',
    ]);
    expect([
      await bulk.change({ action: 'userStatus', value: 'BLOCKED', selection: users }),
      await bulk.change({ action: 'userStatus', value: 'BLOCKED', selection: users }),
      await bulk.change({ action: 'userActive', value: 'false', selection: users }),
      await bulk.change({ action: 'assignmentRevoke', selection: { ids: [assignmentId] } }),
      await bulk.change({ action: 'assignmentRevoke', selection: { ids: [assignmentId] } }),
      await bulk.change({ action: 'ticketRevoke', selection: { tickets: { search: 'ABCD' } } }),
    ]).toEqual([
      new Map([[author, 'done']]),
      new Map([[author, 'skipped: It is so already']]),
      new Map([[author, 'done']]),
      new Map([[assignmentId, 'done']]),
      new Map([[assignmentId, 'skipped: Only an active assignment can be revoked']]),
      new Map([[ticketId, 'skipped: Only an unused ticket can be revoked']]),
    ]);
    expect(await api.db.one(sql`select status, is_active from users`)).toEqual({
      status: 'BLOCKED',
      is_active: false,
    });
  });

  test('what does not fit is refused', async () => {
    const ids = [UNKNOWN.id];
    const wrong: Wanted[] = [
      { action: 'postCancel', value: 'PENDING', selection: { ids } },
      { action: 'postStatus', value: 'BLOCKED', selection: { ids } },
      { action: 'userActive', selection: { ids } },
      { action: 'postCancel', selection: { users: {} } },
      { action: 'postCancel', selection: { ids, posts: {} } },
      { action: 'postCancel', selection: {} },
      { action: 'assignmentRevoke', selection: { posts: {} } },
      { action: 'postCancel', selection: { posts: { text: 'all of them' } } },
    ];
    for (const wanted of wrong) expect((await bulk.preview(wanted)).status).toBe(400);
    const { answer } = await bulk.preview({ action: 'postCancel', selection: { ids } });
    expect(answer).toMatchObject({ count: 0, consequences: ['Nothing will change.'] });
    expect((await bulk.start({ token: answer.token })).error).toMatchObject({
      code: 'invalid_input',
    });
    expect((await bulk.start({ token: UNKNOWN.id })).error).toMatchObject({
      code: 'bulk_preview_expired',
    });
    // Not started: no change that could be read.
    expect((await bulk.get(answer.token)).status).toBe(404);
    const unstarted = { token: admin.token, params: { id: answer.token } };
    expect((await api.call(bulkResult, unstarted)).status).toBe(404);
  });
});
