import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../run-program.ts';
import { createTestDatabase } from '../cluster/test-database.ts';

const PROGRAM = new URL('../../src/api-role/grant-cli.ts', import.meta.url);

/** The embedded cluster alone lets a test make roles. */
describe('a role that may call meridian_api and nothing else', () => {
  const role = `worker_${randomBytes(4).toString('hex')}`;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  let worker: Client;
  let userId: string;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
    owner = new Client({ connectionString: database.connectionString });
    await owner.connect();
    await owner.query(`create role ${role} login`);
    const url = new URL(database.connectionString);
    url.username = role;
    worker = new Client({ connectionString: url.href });
    await worker.connect();
  });
  afterAll(async () => {
    await worker.end();
    await owner.query(`drop owned by ${role}; drop role ${role}`);
    await owner.end();
    await database.drop();
  });

  const grant = (...args: string[]) =>
    runProgram(PROGRAM, args, { DATABASE_URL: database.connectionString });

  const schedule = (field: string, value: string) =>
    worker.query(
      `select result from meridian_api.schedule_post($1, 'Long', now() + interval '1 day', ${field} => ${value})`,
      [userId],
    );

  test('is refused everything before it is granted', async () => {
    await expect(worker.query('select * from meridian_api.service_state()')).rejects.toThrow(
      'permission denied for schema meridian_api',
    );
  });

  test('is granted all functions by one command', async () => {
    expect(await grant('--role', role)).toEqual({
      code: 0,
      stdout: `The role ${role} may call the 17 functions of meridian_api.\n`,
      stderr: '',
    });
    expect(await grant()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--role NAME'),
    });
    expect(await grant('--role', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no role nothing in this database.'),
    });
  });

  test.each([[], ['--publishing'], ['--revoke']])(
    'is never the role of Meridian itself, which would lose rights: %j',
    async (...options) => {
      const rights = async () =>
        (
          await owner.query(
            `select proname, proacl from pg_proc where pronamespace = 'meridian_api'::regnamespace`,
          )
        ).rows;
      const before = await rights();
      expect(await grant('--role', String(owner.user), ...options)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('give the other program a role of its own'),
      });
      expect(await rights()).toEqual(before);
    },
  );

  test('is granted those of a worker alone', async () => {
    expect(await grant('--role', role, '--publishing')).toEqual({
      code: 0,
      stdout: `The role ${role} may call the 9 functions of meridian_api, those of a worker.\n`,
      stderr: '',
    });
    expect((await worker.query('select * from meridian_api.claim_posts()')).rows).toEqual([]);
    const person = `'00000000-0000-7000-8000-000000000000'`;
    for (const call of [
      `redeem_ticket('CODE', ${person})`,
      `schedule_post(${person}, 'Hello', now())`,
      `cancel_post(${person}, ${person})`,
      `read_post(${person}, ${person})`,
      `upsert_person('did:plc:person', 'person.test')`,
    ]) {
      await expect(worker.query(`select meridian_api.${call}`)).rejects.toMatchObject({
        code: '42501',
      });
    }
    expect(await grant('--role', role)).toMatchObject({ code: 0 });
  });

  test.each([
    ['a table', 'grant select on posts to ROLE', 'it may select the table posts'],
    ['a column', 'grant update (status) on posts to ROLE', 'it may update the table posts'],
    ['schemas', 'grant create on database DATABASE to ROLE', 'it may create schemas'],
    ['files', 'grant pg_read_server_files to ROLE', 'it is a member of pg_read_server_files'],
    ['replication', 'alter role ROLE replication', 'it may read the whole database as a replica'],
    [
      'a role that it may become',
      'create role GROUP; grant select on posts to GROUP; alter role ROLE noinherit; grant GROUP to ROLE',
      'it may select the table posts',
    ],
  ])('the command tells of %s besides', async (_, statement, line) => {
    const { rows } = await owner.query('select current_database() as name');
    const made = statement
      .replaceAll('ROLE', role)
      .replaceAll('GROUP', `${role}_group`)
      .replaceAll('DATABASE', rows[0].name);
    await owner.query(made);
    expect(await grant('--role', role)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`It may do more than that:\n  ${line}\n`),
    });
    await owner.query(`revoke all on posts from ${role}; alter role ${role} noreplication inherit;
      revoke create on database ${rows[0].name} from ${role}; revoke pg_read_server_files from ${role}`);
    await owner.query(`do $$ begin if to_regrole('${role}_group') is not null then
      drop owned by ${role}_group; drop role ${role}_group; end if; end $$`);
    expect(await grant('--role', role)).toMatchObject({ code: 0 });
  });

  test('schedules, claims and finishes a post', async () => {
    const { rows } = await worker.query(
      `select user_id from meridian_api.upsert_person('did:plc:person', 'person.test')`,
    );
    userId = rows[0].user_id;
    await worker.query('select * from meridian_api.schedule_post($1, $2, now())', [
      userId,
      'Hello',
    ]);
    const claimed = await worker.query('select * from meridian_api.claim_posts()');
    expect(claimed.rows).toMatchObject([
      { user_id: userId, did: 'did:plc:person', attempt: 1, content: 'Hello', writes: null },
    ]);
    const { post_id: postId, attempt } = claimed.rows[0];
    const writes = [{ rkey: '3jzfcijpj2z2a', record: { text: 'Hello' } }];
    const journalled = await worker.query(
      'select meridian_api.journal_post($1, $2, $3) as writes',
      [postId, attempt, JSON.stringify(writes)],
    );
    expect(journalled.rows).toEqual([{ writes }]);
    const finish = (uri: string | null) =>
      worker.query('select meridian_api.finish_post($1, $2, $3) as result', [postId, attempt, uri]);
    await expect(finish('at://did:plc:another/app.bsky.feed.post/3jzfcijpj2z2a')).rejects.toThrow(
      'the address is not the one of the journalled record',
    );
    await expect(finish(null)).rejects.toThrow('the address is not the one');
    const { rows: finished } = await finish('at://did:plc:person/app.bsky.feed.post/3jzfcijpj2z2a');
    expect(finished).toEqual([{ result: 'finished' }]);
  });

  test.each([
    ['read a table', 'select * from posts'],
    ['read the audit log', 'select * from audit_log'],
    [
      'write the audit log',
      `insert into audit_log (actor_name, action, entity) values ('x', 'x', 'x')`,
    ],
    ['read passwords', 'select * from admins'],
    [
      'insert a post',
      `insert into posts (id, user_id, content, scheduled_at) values (gen_random_uuid(), gen_random_uuid(), 'x', now())`,
    ],
    ['change a limit', `update plans set limits = '{}'`],
    [
      'redeem past the function for other programs',
      `select * from redeem_ticket('ABCD-EFGH-JKMN-PQRS', gen_random_uuid())`,
    ],
    ['count again', 'select recount()'],
    ['read the journal', 'select * from deliveries'],
    ['make a table', 'create table public.mine (n integer)'],
    ['change a function', 'drop function meridian_api.version()'],
    ['switch a trigger off', 'alter table posts disable trigger all'],
    ['become the owner', 'set role app'],
    ['read files', `select pg_read_file('/etc/passwd')`],
    ['run programs', `copy (select 1) to program 'id'`],
    ['make a schema', 'create schema mine'],
    ['make a function beside ours', 'create function public.f() returns integer return 1'],
    ['add an extension', 'create extension dblink'],
    ['read password hashes', 'select * from pg_authid'],
    ['read the job queue', 'select * from graphile_worker.jobs'],
    ['switch triggers off for itself', 'set session_replication_role = replica'],
    [
      'end a connection of the server',
      'select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user',
    ],
    [
      'write counters through a trigger function on a table of its own',
      `create temporary table mine (status text); create trigger count after insert on mine
       referencing new table as changed for each statement execute function count_user_rows(); insert into mine values ('ACTIVE')`,
    ],
  ])('cannot %s', async (_, statement) => {
    await expect(worker.query(statement)).rejects.toThrow(/permission denied|must be/u);
  });

  test('cannot store a post of any size', async () => {
    const size = 'a post has more than 2 MB of facets, embed, languages and thread';
    await expect(
      schedule('embed', `jsonb_build_object('title', repeat('x', 2000000))`),
    ).rejects.toThrow(size);
    await expect(schedule('languages', `array[repeat('x', 2000000)]`)).rejects.toThrow(size);
    const { rows } = await schedule('languages', `'{en}'`);
    expect(rows).toEqual([{ result: 'scheduled' }]);
  });

  test('may do nothing any more after --revoke', async () => {
    expect(await grant('--role', role, '--revoke')).toMatchObject({ code: 0 });
    await expect(worker.query('select meridian_api.version()')).rejects.toThrow(
      'permission denied',
    );
  });
});
