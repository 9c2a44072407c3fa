import { beforeAll, describe, expect, inject, test } from 'vitest';
import { ENGINES, setUpApp, startTestApp } from '../../test/app.ts';
import { runProgram } from '../../test/run-program.ts';
import { sql } from '../db/sql.ts';
import { HOST, recordEvent } from './audit.store.ts';
import { protectionFlaws, verifyChain } from './verify.ts';

describe.each(ENGINES)('the end of the chain on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await recordEvent(api.db, { by: HOST, action: 'planPublish' }, null);
  });

  const REFUSED = 'the end of the audit log moves only with an entry';
  test.each([
    ['moved back', sql`update audit_head set last_id = last_id - 1`],
    ['moved on', sql`update audit_head set last_id = last_id + 1`],
    ['given another hash', sql`update audit_head set hash = sha256(hash)`],
    ['written as it is', sql`update audit_head set last_id = last_id`],
    [
      'moved on beside an entry',
      sql`with entry as (
            insert into audit_log (actor_name, action, entity) values ('ana', 'planPublish', 'plan')
            returning id, hash)
          update audit_head set last_id = entry.id, hash = entry.hash from entry`,
    ],
  ])('is not %s by a plain update', async (_, statement) => {
    await expect(api.db.execute(statement)).rejects.toThrow(REFUSED);
    expect((await verifyChain(api.db)).flaws).toEqual([]);
  });

  test('advances with several rows of one statement and several statements of a transaction', async () => {
    const { last } = await verifyChain(api.db);
    await api.db.transaction(async (tx) => {
      for (let n = 0; n < 2; n += 1) {
        await tx.execute(sql`
          insert into audit_log (actor_name, action, entity)
          select 'host', 'planPublish', 'plan' from generate_series(1, 3)`);
      }
    });
    const after = await verifyChain(api.db);
    expect([after.flaws, after.last.id - last.id]).toEqual([[], 6n]);
  });

  test('ignores what a session claims it to be', async () => {
    const { last } = await verifyChain(api.db);
    for (const tail of [last.id + 5n, last.id + 1n, 'none']) {
      const forged = api.db.transaction(async (tx) => {
        await tx.execute(sql`select set_config('meridian.audit_entry', ${String(tail)}, true)`);
        await recordEvent(tx, { by: HOST, action: 'planPublish' }, null);
      });
      await expect(forged).rejects.toThrow(/^query returned no rows$|^invalid input syntax/);
    }
    await recordEvent(api.db, { by: HOST, action: 'planPublish' }, null);
    const after = await verifyChain(api.db);
    expect([after.flaws, after.last.id - last.id]).toEqual([[], 1n]);
  });

  test('continues after a rollback to a savepoint', async () => {
    const { last } = await verifyChain(api.db);
    await api.db.transaction(async (tx) => {
      const write = () => recordEvent(tx, { by: HOST, action: 'planPublish' }, null);
      await write();
      await tx.execute(sql`savepoint part`);
      await write();
      await tx.execute(sql`rollback to part`);
      await write();
    });
    const after = await verifyChain(api.db);
    expect([after.flaws, after.last.id - last.id]).toEqual([[], 2n]);
  });

  test.each([
    [
      'put in a second time',
      [sql`insert into audit_head (last_id, hash) select last_id, hash from audit_head`],
      'entries of the audit log cannot be changed or removed',
    ],
    [
      'moved on with an entry of a temporary table',
      [
        sql`create temp table audit_log on commit drop as
            select last_id + 1 as id, hash as previous_hash, sha256('x') as hash from audit_head`,
        sql`update audit_head set last_id = last_id + 1, hash = sha256('x')`,
      ],
      REFUSED,
    ],
  ])('is not %s', async (_, statements, refusal) => {
    const attempt = api.db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });
    await expect(attempt).rejects.toThrow(refusal);
    expect((await verifyChain(api.db)).flaws).toEqual([]);
  });

  test('is read from its own schema, whatever the search_path', async () => {
    const { last } = await verifyChain(api.db);
    const { schema } = await api.db.one<{ schema: string }>(sql`select current_schema() as schema`);
    expect(schema).toBe('public');
    await api.db.transaction(async (tx) => {
      await tx.execute(sql`
        create temp table audit_head on commit drop as
        select true as is_only, 99::bigint as last_id, sha256('x') as hash`);
      await tx.execute(sql`create schema before_all`);
      await tx.execute(sql`
        create function before_all.clock_timestamp() returns timestamptz language sql
        return timestamptz '2001-01-01'`);
      await tx.execute(sql`set local search_path = before_all, pg_catalog, public`);
      await tx.execute(sql`
        insert into public.audit_log (actor_name, action, entity) values ('a', 'b', 'c')`);
    });
    const after = await verifyChain(api.db);
    expect([after.flaws, after.last.id - last.id]).toEqual([[], 1n]);
    const { isRecent } = await api.db.one<{ isRecent: boolean }>(sql`
      select max(at) > now() - interval '1 hour' as "isRecent" from audit_log
      where id = ${String(after.last.id)}::bigint`);
    expect(isRecent).toBe(true);
    await api.db.execute(sql`drop schema before_all cascade`);
  });

  test('is flawed with foreign triggers, rules, policies or inheritance', async () => {
    const undo = new Error('as it was');
    const attempt = api.db.transaction(async (tx) => {
      await tx.execute(sql`
        create function swallow() returns trigger language plpgsql as 'begin return null; end'`);
      await tx.execute(sql`
        create trigger aa before insert on audit_log for each row execute function swallow()`);
      await tx.execute(sql`alter table audit_log enable row level security`);
      await tx.execute(sql`create rule nothing as on delete to audit_head do instead nothing`);
      await tx.execute(sql`create table parent (id bigint not null)`);
      await tx.execute(sql`alter table audit_log inherit parent`);
      expect(await protectionFlaws(tx)).toEqual([
        "The trigger aa of audit_log is not Meridian's",
        'audit_head has rules, which can replace what is written to it',
        'audit_log has row security, which can hide entries',
        'audit_log inherits from a table, or a table from it',
      ]);
      throw undo;
    });
    await expect(attempt).rejects.toBe(undo);
  });

  test('is flawed when a protecting trigger is not always enabled', async () => {
    expect(await protectionFlaws(api.db)).toEqual([]);
    const undo = new Error('as it was');
    const attempt = api.db.transaction(async (tx) => {
      await tx.execute(sql`alter table audit_head disable trigger audit_head_follows`);
      await tx.execute(sql`alter table audit_log enable trigger audit_log_chain`);
      await tx.execute(sql`drop trigger audit_log_append_only on audit_log`);
      expect(await protectionFlaws(tx)).toEqual([
        'The trigger audit_log_chain, which protects audit_log, is not always enabled',
        'The trigger audit_log_append_only, which protects audit_log, is missing',
        'The trigger audit_head_follows, which protects audit_head, is not always enabled',
      ]);
      throw undo;
    });
    await expect(attempt).rejects.toBe(undo);
  });
});

/** Only a role to which it was granted may set it; the embedded test cluster grants it. */
test('a replication session neither moves it nor writes an unchained entry', async () => {
  const api = await startTestApp('embedded');
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await recordEvent(tx, { by: HOST, action: 'planPublish' }, null);
  });
  const forged = api.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update audit_head set last_id = 0`);
  });
  await expect(forged).rejects.toThrow('the end of the audit log moves only with an entry');
  const { flaws, entries } = await verifyChain(api.db);
  expect([flaws, entries]).toEqual([[], 1]);
  await api.close();
});

test('the command names a disabled trigger, and exits with code 1', async () => {
  const api = await startTestApp('server');
  await recordEvent(api.db, { by: HOST, action: 'planPublish' }, null);
  await api.db.execute(sql`alter table audit_log disable trigger audit_log_append_only`);
  const { name } = await api.db.one<{ name: string }>(sql`select current_database() as name`);
  const address = new URL(`/${name}`, inject('clusters').server);
  const run = await runProgram(new URL('./verify-cli.ts', import.meta.url), [], {
    DATABASE_URL: address.href,
  });
  expect(run).toEqual({
    code: 1,
    stdout:
      'The trigger audit_log_append_only, which protects audit_log, is not always enabled\n1 entry, 1 flaw found\n',
    stderr: '',
  });
  await api.close();
});
