import { beforeAll, describe, expect, test } from 'vitest';
import { HOST, record } from '../../server/src/audit/audit.store.ts';
import { verifyChain } from '../../server/src/audit/verify.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import { insertAdmin } from '../../server/src/features/administrators/administrators.store.ts';
import { setUpDatabase } from '../../server/test/cluster/test-database.ts';
import { runProgram } from '../../server/test/run-program.ts';

const PROGRAM = new URL('../../server/src/audit/verify-cli.ts', import.meta.url);
/** More than are read at once, and more than are listed. */
const ENTRIES = 1200;

const { database, db } = setUpDatabase('server');

const verify = (...args: string[]) =>
  runProgram(PROGRAM, args, { DATABASE_URL: database.connectionString });

/** What is found after changes that only the owner of the tables can make; they are undone again. */
const tampered = async (...statements: Sql[]) => {
  const undo = new Error('as it was');
  let found = { flaws: ['not verified'], unlisted: 0 };
  const attempt = db.transaction(async (tx) => {
    await tx.execute(sql`alter table audit_log disable trigger user`);
    await tx.execute(sql`alter table audit_head disable trigger user`);
    for (const statement of statements) await tx.execute(statement);
    found = await verifyChain(tx);
    throw undo;
  });
  await expect(attempt).rejects.toBe(undo);
  expect((await verifyChain(db)).flaws).toEqual([]);
  return found;
};

test('an empty log is valid until there is an administrator', async () => {
  expect(await verify()).toEqual({ code: 0, stdout: '0 entries, chain is whole\n', stderr: '' });
  await insertAdmin(db, { id: uuidV7(), username: 'ana', passwordHash: '$none' });
  expect(await verify()).toEqual({
    code: 1,
    stdout:
      'The audit log is empty, although an administrator was created\n0 entries, 1 flaw found\n',
    stderr: '',
  });
});

describe('a log of many entries', () => {
  beforeAll(async () => {
    for (let n = 1; n <= ENTRIES; n += 1) {
      const change = { id: `post-${n}`, before: { status: 'PENDING' }, after: { status: 'ü\n🔑' } };
      // As in a log that began before reasons and batches: the first half has neither.
      const why = n > ENTRIES / 2 ? { reason: `Why ${n}`, batch: n > 1150 ? uuidV7() : null } : {};
      await record(db, { by: HOST, action: 'postUpdate', ...why }, change);
    }
  });

  test('is valid, and its last entry is printed', async () => {
    const { code, stdout } = await verify();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1200 entries, chain is whole\nThe last one is 1200:[0-9a-f]{64}\n$/);
  });

  const WRITTEN = 'Entry 1100 is not as it was written';
  test.each([
    ['another word', [WRITTEN], sql`update audit_log set actor_name = 'ana' where id = 1100`],
    [
      'another time',
      [WRITTEN],
      sql`update audit_log set at = at + interval '1 us' where id = 1100`,
    ],
    [
      'another difference',
      [WRITTEN],
      sql`update audit_log set after = '{"status": "FAILED"}' where id = 1100`,
    ],
    [
      'one without its difference',
      [WRITTEN],
      sql`update audit_log set before = null where id = 1100`,
    ],
    ['another reason', [WRITTEN], sql`update audit_log set reason = 'Another' where id = 1100`],
    ['one without its reason', [WRITTEN], sql`update audit_log set reason = null where id = 1100`],
    [
      'a reason added later',
      ['Entry 7 is not as it was written'],
      sql`update audit_log set reason = 'Added' where id = 7`,
    ],
    [
      'another batch',
      ['Entry 1160 is not as it was written'],
      sql`update audit_log set batch = gen_random_uuid() where id = 1160`,
    ],
    [
      'a reason that became part of the network',
      [WRITTEN],
      sql`update audit_log set network = reason, reason = null where id = 1100`,
    ],
    [
      'another hash',
      [WRITTEN, 'Entry 1101 does not follow the one before'],
      sql`update audit_log set hash = sha256(hash) where id = 1100`,
    ],
    ['one less', ['Entry 1100 is missing'], sql`delete from audit_log where id = 1100`],
    [
      'several less',
      ['Entries 990 to 1010 are missing'],
      sql`delete from audit_log where id between 990 and 1010`,
    ],
    [
      'the last ones gone',
      ['Entries 1191 to 1200 are missing'],
      sql`delete from audit_log where id > 1190`,
    ],
    [
      'another end',
      ['The end of the chain that audit_head keeps is not the last entry'],
      sql`update audit_head set hash = sha256(hash)`,
    ],
    [
      'no end',
      ['audit_head, which keeps the end of the chain, is empty'],
      sql`delete from audit_head`,
    ],
    [
      'one from before the first',
      ['Entry -7 does not belong to the chain'],
      sql`insert into audit_log (id, at, actor_name, action, entity, previous_hash, hash)
          values (-7, now(), 'ana', 'postUpdate', 'post', '', '')`,
    ],
  ])('shows %s and nothing else', async (_, flaws, statement) => {
    expect(await tampered(statement)).toMatchObject({ flaws, unlisted: 0 });
  });

  test('shows a deleted entry, also with the gap closed', async () => {
    const { flaws } = await tampered(
      sql`delete from audit_log where id = 1195`,
      sql`update audit_log set id = -id where id > 1195`,
      sql`update audit_log set id = -id - 1 where id < 0`,
      sql`update audit_head set last_id = last_id - 1`,
    );
    expect(flaws).toEqual([
      'Entry 1195 does not follow the one before',
      ...[1195, 1196, 1197, 1198, 1199].map((id) => `Entry ${id} is not as it was written`),
    ]);
  });

  test('shows two swapped entries', async () => {
    const { flaws } = await tampered(
      sql`update audit_log set id = -1 where id = 1100`,
      sql`update audit_log set id = 1100 where id = 1101`,
      sql`update audit_log set id = 1101 where id = -1`,
    );
    expect(flaws).toEqual([
      'Entry 1100 does not follow the one before',
      'Entry 1100 is not as it was written',
      'Entry 1101 does not follow the one before',
      'Entry 1101 is not as it was written',
      'Entry 1102 does not follow the one before',
    ]);
  });

  test('shows every flaw, not only the first', async () => {
    const { flaws } = await tampered(
      sql`update audit_log set actor_name = 'ana' where id in (3, 1100)`,
      sql`delete from audit_log where id in (500, 1199, 1200)`,
    );
    expect(flaws).toEqual([
      'Entry 3 is not as it was written',
      'Entry 500 is missing',
      'Entry 1100 is not as it was written',
      'Entries 1199 to 1200 are missing',
    ]);
  });

  test('lists at most a thousand flaws, and counts the rest', async () => {
    const { flaws, unlisted } = await tampered(sql`update audit_log set actor_name = 'ana'`);
    expect([flaws.length, flaws.at(-1), unlisted]).toEqual([
      1000,
      'Entry 1000 is not as it was written',
      200,
    ]);
  });

  test('rewritten as a whole shows only with --seen', async () => {
    const { last } = await verifyChain(db);
    const tables = [sql`audit_log`, sql`audit_head`];
    for (const table of tables) await db.execute(sql`alter table ${table} disable trigger user`);
    await db.execute(sql`delete from audit_log where id > 1000`);
    await db.execute(sql`
      update audit_head set (last_id, hash) = (select id, hash from audit_log where id = 1000)`);
    for (const [table, trigger] of [
      [sql`audit_log`, sql`audit_log_chain`],
      [sql`audit_log`, sql`audit_log_head`],
      [sql`audit_log`, sql`audit_log_append_only`],
      [sql`audit_head`, sql`audit_head_follows`],
      [sql`audit_head`, sql`audit_head_stays`],
    ] as const) {
      await db.execute(sql`alter table ${table} enable always trigger ${trigger}`);
    }
    expect((await verify()).code).toBe(0);
    const seen = [`${last.id}:${last.hash}`, `1000:${last.hash}`, `7:${last.hash}`];
    expect(await verify(...seen.flatMap((entry) => ['--seen', entry]))).toEqual({
      code: 1,
      stdout: [
        'Entry 7 is not the one given with --seen',
        'Entry 1000 is not the one given with --seen',
        'Entry 1200, given with --seen, is missing',
        '1000 entries, 3 flaws found\n',
      ].join('\n'),
      stderr: '',
    });
  });
});

test('the command has --help, and refuses unknown options', async () => {
  expect(await verify('--help')).toMatchObject({ code: 0, stderr: '' });
  expect(await verify('--repair')).toMatchObject({ code: 2, stdout: '' });
  expect(await verify('--seen', '12')).toEqual({
    code: 2,
    stdout: '',
    stderr: '--seen must be ID:HASH, not "12".\nSee npm run audit:verify -- --help\n',
  });
});
