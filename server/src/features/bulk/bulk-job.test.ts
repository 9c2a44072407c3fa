import { bulkStop } from '@meridian/contract/bulk';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { bulkCalls } from '../../../test/bulk-calls.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { openPatient } from '../../../test/patient.ts';
import { sql } from '../../db/sql.ts';
import { pauseAfter, runBulkChange } from './bulk-job.ts';

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
