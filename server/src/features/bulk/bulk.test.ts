import {
  bulkGet,
  bulkList,
  bulkPreview,
  bulkResult,
  bulkStart,
  bulkStop,
} from '@meridian/contract/bulk';
import type { BulkAction, BulkSelection } from '@meridian/contract/bulk';
import type { PostStatus } from '@meridian/contract/posts';
import { POST_STATUSES } from '@meridian/contract/posts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { SignedIn, TestApp } from '../../../test/app.ts';
import { UNKNOWN } from '../../../test/changes/change.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { verifyChain } from '../../audit/verify.ts';
import { sql } from '../../db/sql.ts';
import { runBulkChange } from './bulk-job.ts';
import { openPatient } from '../../../test/patient.ts';

describe.each(EITHER)('changing many rows on %s', (engine) => {
  let api: TestApp;
  let admin: SignedIn;
  let author: string;
  beforeAll(async () => {
    api = await startTestApp(engine);
    admin = await api.signIn();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.db.execute(sql`delete from users`);
    author = await insertUser(api.db, { handle: 'runaway.test' });
  });

  const posts = (count: number, status: PostStatus = 'PENDING') =>
    Promise.all(Array.from({ length: count }, () => insertPost(api.db, author, { status })));

  type Wanted = { action: BulkAction; value?: string; selection: BulkSelection };
  const preview = (wanted: Wanted, by = admin) =>
    api.call(bulkPreview, { token: by.token, body: wanted });
  const start = (body: Record<string, unknown>, by = admin, headers = {}) =>
    api.call(bulkStart, { token: by.token, body, headers });
  const get = (id: string) => api.call(bulkGet, { token: admin.token, params: { id } });

  /** Previews, starts and runs it to its end; the results by row. */
  async function change(wanted: Wanted): Promise<Map<string, string>> {
    const { answer: bound } = await preview(wanted);
    const { answer } = await start({ token: bound.token, typedCount: bound.count });
    await runBulkChange(api.db, api.context, answer.change);
    return resultsOf(answer.change.id);
  }

  async function resultsOf(id: string): Promise<Map<string, string>> {
    const { body } = await api.app.inject({
      url: bulkResult.path.replace('{id}', id),
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const lines = body.replace('\uFEFF', '').trim().split('\r\n').slice(1);
    return new Map(
      lines.map((line) => {
        const [row = '', result = '', message = ''] = line.replaceAll('"', '').split(',');
        return [row, message === '' ? result : `${result}: ${message}`];
      }),
    );
  }

  async function states(): Promise<Record<string, number>> {
    const rows = await api.db.many<{ status: string; n: number }>(
      sql`select status, count(*) as n from posts group by status`,
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  }

  test('a preview of 41 that becomes 42 asks again; then it is one bulk change, logged once', async () => {
    await posts(41);
    await posts(2, 'COMPLETED');
    const wanted: Wanted = { action: 'postCancel', selection: { posts: { status: 'PENDING' } } };
    const { answer: first } = await preview(wanted);
    expect(first).toMatchObject({
      count: 41,
      consequences: ['41 posts will be cancelled and not published.'],
      skipped: [],
    });
    expect(first.examples).toHaveLength(5);
    expect(first.examples[0]).toMatchObject({
      label: '@runaway.test: A scheduled post',
      state: 'PENDING',
    });

    const untyped = await start({ token: first.token, typedCount: 40 });
    expect(untyped.error).toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'typedCount', message: 'Type 41 to confirm' }],
    });
    await posts(1);
    const changed = await start({ token: first.token, typedCount: 41 });
    expect(changed).toMatchObject({
      status: 409,
      error: {
        code: 'bulk_set_changed',
        message: 'The set has changed: 1 row added, 0 removed. 42 match now.',
      },
    });

    const other = await api.signIn();
    const [mine, theirs] = [await preview(wanted), await preview(wanted, other)];
    const tokens = [mine.answer.token, theirs.answer.token];
    const reason = 'A script ran away';
    const why = { 'x-reason': encodeURIComponent(reason) };
    const started = await start({ token: tokens[0], typedCount: 42 }, admin, why);
    const again = await start({ token: tokens[1], typedCount: 42 }, other);
    const repeated = await start({ token: tokens[0], typedCount: 42 });
    const { id } = started.answer.change;
    expect([again, repeated].map(({ answer }) => answer.change.id)).toEqual([id, id]);

    await runBulkChange(api.db, api.context, { id });
    expect(await states()).toEqual({ CANCELLED: 42, COMPLETED: 2 });
    expect((await get(id)).answer.change).toMatchObject({
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
    expect([...(await resultsOf(id)).values()]).toEqual(Array.from({ length: 42 }, () => 'done'));

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
    const { answer } = await preview({ action: 'postCancel', selection });
    expect(answer.count).toBe(5);
    expect(answer.consequences).toEqual([
      '2 posts will be cancelled and not published.',
      '1 post of them is being published and may be out already.',
    ]);
    const cannot = 'Only a pending or processing post can be cancelled';
    expect(answer.skipped).toEqual([{ reason: cannot, count: 3 }]);

    const result = await change({ action: 'postCancel', selection });
    const of = (status: PostStatus) => result.get(byStatus[status] ?? '');
    expect(POST_STATUSES.map(of)).toEqual(
      POST_STATUSES.map((one) =>
        one === 'PENDING' || one === 'PROCESSING' ? 'done' : `skipped: ${cannot}`,
      ),
    );
    const set = await change({ action: 'postStatus', value: 'PENDING', selection });
    expect([...set.values()].toSorted()).toEqual([
      'done',
      'done',
      'done',
      'skipped: The status of a completed or failed post cannot be changed',
      'skipped: The status of a completed or failed post cannot be changed',
    ]);
    expect(await states()).toEqual({ PENDING: 3, COMPLETED: 1, FAILED: 1 });
    await api.db.execute(sql`
      update posts set cause = 'host_down' where id = ${byStatus['FAILED']}`);
    const retried = await change({ action: 'postRetry', selection });
    expect(retried.get(byStatus['FAILED'] ?? '')).toBe('done');
    expect([...retried.values()].filter((result) => result !== 'done')).toEqual(
      Array.from(
        { length: 4 },
        () => 'skipped: Only a failed post whose cause allows it can be retried',
      ),
    );
    expect(await states()).toEqual({ PENDING: 4, COMPLETED: 1, FAILED: 1 });
    await change({ action: 'postDelete', selection: { posts: { userId: author } } });
    expect(await states()).toEqual({});
    const { was } = await api.db.one<{ was: object }>(sql`
      select was from bulk_change_rows where row_id = ${byStatus['FAILED']} and was ? 'content_sha256'`);
    expect(was).toMatchObject({ user_id: author, status: 'FAILED' });
  });

  test('people, tickets and assignments are changed by the same rules', async () => {
    await posts(3);
    const { assignmentId, ticketId } = await grantPlan(api.db, author, {
      code: 'ABCD-EFGH-JKLM-NPQR',
    });
    await api.db.execute(sql`select apply_counter_deltas()`);
    const users = { users: { search: 'runaway' } };
    const { answer } = await preview({ action: 'userStatus', value: 'BLOCKED', selection: users });
    expect(answer.consequences).toEqual([
      '1 user will be set to BLOCKED.',
      '3 scheduled posts will not be published meanwhile.',
    ]);
    expect([
      await change({ action: 'userStatus', value: 'BLOCKED', selection: users }),
      await change({ action: 'userStatus', value: 'BLOCKED', selection: users }),
      await change({ action: 'userActive', value: 'false', selection: users }),
      await change({ action: 'assignmentRevoke', selection: { ids: [assignmentId] } }),
      await change({ action: 'assignmentRevoke', selection: { ids: [assignmentId] } }),
      await change({ action: 'ticketRevoke', selection: { tickets: { search: 'ABCD' } } }),
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

  test('a change that is stopped leaves the rest as it was, and says so', async () => {
    await posts(3);
    const selection = { posts: { userId: author } };
    const { answer: bound } = await preview({ action: 'postCancel', selection });
    const { answer } = await start({ token: bound.token });
    const { id } = answer.change;
    const stop = () => api.call(bulkStop, { token: admin.token, params: { id } });
    expect((await stop()).answer.change.state).toBe('STOPPING');
    await runBulkChange(api.db, api.context, { id });
    expect((await get(id)).answer.change).toMatchObject({ state: 'STOPPED', done: 0, total: 3 });
    expect(new Set((await resultsOf(id)).values())).toEqual(new Set(['open']));
    expect(await states()).toEqual({ PENDING: 3 });
    expect((await stop()).error).toMatchObject({ code: 'bulk_change_ended' });
  });

  test('an interrupted job goes on where it was; a row that is held or refused harms no other', async () => {
    const [held = '', refused = ''] = await posts(2);
    await api.db.execute(sql`
      insert into posts (id, user_id, content, scheduled_at)
      select gen_random_uuid(), ${author}, 'post ' || n, now() + interval '1 day'
      from generate_series(1, 1200) n`);
    await api.db.execute(sql`
      create function refuse_for_test() returns trigger language plpgsql as
      $$ begin raise exception 'not this one'; end $$`);
    await api.db.execute(sql`
      create trigger refuse_for_test before update on posts for each row
      when (old.content = 'refused') execute function refuse_for_test()`);
    await api.db.execute(sql`alter table posts disable trigger refuse_for_test`);
    await api.db.execute(sql`update posts set content = 'refused' where id = ${refused}`);
    await api.db.execute(sql`alter table posts enable trigger refuse_for_test`);
    const before = await api.db.one<{ n: number }>(sql`select max(version) as n from posts
      where content like 'post%'`);
    const selection = { posts: { userId: author } };
    const { answer: bound } = await preview({ action: 'postCancel', selection });
    const { answer } = await start({ token: bound.token, typedCount: 1202 });
    const { id } = answer.change;

    // Another process holds a post as the engine would, until the job has passed it.
    const engineDb = openPatient(api.context.connection);
    const passed = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const release = engineDb.transaction(async (tx) => {
      await tx.execute(sql`select from posts where id = ${held} for update`);
      holding.resolve();
      await passed.promise;
    });
    await holding.promise;
    const interrupted = new AbortController();
    interrupted.abort();
    await runBulkChange(api.db, api.context, { id }, interrupted.signal);
    expect((await get(id)).answer.change).toMatchObject({ state: 'RUNNING', done: 0 });
    const job = runBulkChange(api.db, api.context, { id });
    await expect
      .poll(async () => (await get(id)).answer.change, { timeout: 60_000 })
      .toMatchObject({ done: 1200, failed: 1 });
    passed.resolve();
    await release;
    await job;
    await engineDb.close();

    expect((await get(id)).answer.change).toMatchObject({ state: 'DONE', done: 1201, failed: 1 });
    expect((await resultsOf(id)).get(refused)).toBe('failed: The database refused this change');
    expect(await states()).toEqual({ CANCELLED: 1201, PENDING: 1 });
    const versions = await api.db.many(sql`
      select distinct version as n from posts where content like 'post%'`);
    expect(versions).toEqual([{ n: before.n + 1 }]);
    await api.db.execute(sql`drop trigger refuse_for_test on posts`);
    await api.db.execute(sql`drop function refuse_for_test()`);
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
    for (const wanted of wrong) expect((await preview(wanted)).status).toBe(400);
    const { answer } = await preview({ action: 'postCancel', selection: { ids } });
    expect(answer).toMatchObject({ count: 0, consequences: ['Nothing will change.'] });
    expect((await start({ token: answer.token })).error).toMatchObject({ code: 'invalid_input' });
    expect((await start({ token: UNKNOWN.id })).error).toMatchObject({ code: 'invalid_input' });
    // Not started: no change that could be read.
    expect((await get(answer.token)).status).toBe(404);
  });
});
