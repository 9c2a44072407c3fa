import { BULK_MAX_ROWS, bulkList, bulkResult, bulkStop } from '@meridian/contract/bulk';
import type { BulkAction } from '@meridian/contract/bulk';
import { POST_STATUSES } from '@meridian/contract/posts';
import type { PostStatus } from '@meridian/contract/posts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { bulkCalls } from '../../../test/bulk-calls.ts';
import type { Wanted } from '../../../test/bulk-calls.ts';
import { UNKNOWN } from '../../../test/changes/change.ts';
import { countingReads } from '../../../test/counting-reads.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { openPatient } from '../../../test/patient.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { verifyChain } from '../../audit/verify.ts';
import { uuidV7 } from '../../db/columns.ts';
import { openDatabase } from '../../db/database.ts';
import { BY_INDEX_SETTINGS, sql } from '../../db/sql.ts';
import { pauseAfter, runBulkChange } from './bulk-job.ts';
import { consequencesOf } from './bulk.service.ts';
import { insertSet, nextRows, saveResults } from './bulk.store.ts';

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

test('batches keep their distance, and slow ones pause for half as long as they took', () => {
  expect([4, 16, 40].map(pauseAfter)).toEqual([22, 10, 20]);
});

describe.each(EITHER)('a bulk change at work on %s', (engine) => {
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

  test('a change that is stopped leaves the rest as it was, and says so', async () => {
    await bulk.posts(author, 3);
    const selection = { posts: { userId: author } };
    const { answer: bound } = await bulk.preview({ action: 'postCancel', selection });
    const { answer } = await bulk.start({ token: bound.token });
    const { id } = answer.change;
    const stop = () => api.call(bulkStop, { token: admin.token, params: { id } });
    expect((await stop()).answer.change.state).toBe('STOPPING');
    await runBulkChange(api.db, api.context, { id });
    expect((await bulk.get(id)).answer.change).toMatchObject({
      state: 'STOPPED',
      done: 0,
      total: 3,
    });
    expect(new Set((await bulk.resultsOf(id)).values())).toEqual(new Set(['open']));
    expect(await bulk.states()).toEqual({ PENDING: 3 });
    expect((await stop()).error).toMatchObject({ code: 'bulk_change_ended' });
  });

  test('an interrupted job goes on where it was; a row that is held or refused harms no other', async () => {
    const [held = '', refused = ''] = await bulk.posts(author, 2);
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
    const { answer: bound } = await bulk.preview({ action: 'postCancel', selection });
    const { answer } = await bulk.start({ token: bound.token, typedCount: 1202 });
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
    expect((await bulk.get(id)).answer.change).toMatchObject({ state: 'RUNNING', done: 0 });
    const job = runBulkChange(api.db, api.context, { id });
    await expect
      .poll(async () => (await bulk.get(id)).answer.change, { timeout: 60_000 })
      .toMatchObject({ done: 1200, failed: 1 });
    passed.resolve();
    await release;
    await job;
    await engineDb.close();

    expect((await bulk.get(id)).answer.change).toMatchObject({
      state: 'DONE',
      done: 1201,
      failed: 1,
    });
    expect((await bulk.resultsOf(id)).get(refused)).toBe(
      'failed: The database refused this change',
    );
    expect(await bulk.states()).toEqual({ CANCELLED: 1201, PENDING: 1 });
    const versions = await api.db.many(sql`
      select distinct version as n from posts where content like 'post%'`);
    expect(versions).toEqual([{ n: before.n + 1 }]);
    await api.db.execute(sql`drop trigger refuse_for_test on posts`);
    await api.db.execute(sql`drop function refuse_for_test()`);
  });

  test('a full disk fails no row: the job breaks off and goes on when there is room', async () => {
    await bulk.posts(author, 3);
    const { answer: bound } = await bulk.preview({
      action: 'postCancel',
      selection: { posts: { userId: author } },
    });
    const { answer } = await bulk.start({ token: bound.token });
    const { id } = answer.change;
    await api.db.execute(sql`
      create function refuse_for_test() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await api.db.execute(sql`
      create trigger refuse_for_test before update on posts execute function refuse_for_test()`);
    await expect(runBulkChange(api.db, api.context, { id })).rejects.toThrow('could not extend');
    const open = { state: 'RUNNING', done: 0, failed: 0 };
    expect((await bulk.get(id)).answer.change).toMatchObject(open);
    await api.db.execute(sql`drop function refuse_for_test() cascade`);
    await runBulkChange(api.db, api.context, { id });
    const done = { state: 'DONE', done: 3, failed: 0 };
    expect((await bulk.get(id)).answer.change).toMatchObject(done);
  });
});

type Case = [action: BulkAction, state: string, count: number, sentence: string];
const CASES: Case[] = [
  ['postDelete', 'COMPLETED', 1, '1 post of them is published and stays on the network.'],
  ['postDelete', 'COMPLETED', 2, '2 posts of them are published and stay on the network.'],
  [
    'postRetry',
    'FAILED',
    1,
    '1 post will be scheduled again, as a new post that is due now and names the old one.',
  ],
  [
    'postRetry',
    'FAILED',
    2,
    '2 posts will be scheduled again, each as a new post that is due now and names the old one.',
  ],
];

test.each(CASES)('%s of %s posts speaks of %i', (action, state, count, sentence) => {
  expect(consequencesOf(action, null, [{ state, count, weight: 0 }])).toContain(sentence);
});

const ROWS = 3_000;
const BATCH = 100;

describe.each(EITHER)('a batch on %s', (engine) => {
  const api = setUpApp(engine);
  let changeId: string;
  beforeAll(async () => {
    const { adminId } = await api.signIn();
    ({ id: changeId } = await api.db.one<{ id: string }>(sql`
      insert into bulk_changes (id, action, selection, digest, total, admin_id, made_by, state)
      values (gen_random_uuid(), 'postCancel', '{}', '', ${ROWS}, ${adminId}, 'admin', 'RUNNING')
      returning id`));
    await api.db.execute(sql`
      insert into bulk_change_rows (change_id, row_id)
      select ${changeId}::uuid, gen_random_uuid() from generate_series(1, ${ROWS}::integer)`);
  });

  test('reads its own rows only, also before their table has statistics', async () => {
    const { connection } = api.context;
    const options = { maxConnections: 1, settings: BY_INDEX_SETTINGS, onError: () => {} };
    const jobs = openDatabase(connection, options);
    const { db, read } = countingReads(jobs, 'bulk_change_rows');
    const ids = await nextRows(db, changeId, BATCH);
    const done = { result: 'done', message: null, was: '{}' } as const;
    await saveResults(
      db,
      changeId,
      ids.map((id) => ({ id, ...done })),
      ids.at(-1) ?? null,
    );
    await jobs.close();
    expect(ids).toHaveLength(BATCH);
    // By the first statement, and by the second to be found and to be changed.
    expect(read()).toBeLessThanOrEqual(3 * BATCH);
  });

  test('more rows than a change may have are refused before one is written', async () => {
    const { adminId } = await api.signIn();
    const by = { adminId, username: 'admin', requestId: null, network: null };
    const change = { id: uuidV7(), action: 'postDelete', value: null, selection: {} } as const;
    const written = await api.db.transaction(async (tx) => {
      const many = sql`
        select gen_random_uuid() as id from generate_series(1, ${sql.whole(BULK_MAX_ROWS + 1)})`;
      expect(await insertSet(tx, change, by, many)).toBeNull();
      return tx.many(sql`select from bulk_change_rows where change_id = ${change.id} limit 1`);
    });
    expect(written).toEqual([]);
  });
});
