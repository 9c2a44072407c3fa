import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import { runProgram } from '../../test/run-program.ts';
import { openDatabase } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { HOST } from './author.ts';
import { record } from './entry.ts';
import { verifyChain } from './verify.ts';

const PROGRAM = new URL('./verify-cli.ts', import.meta.url);
/** More than are read at once. */
const ENTRIES = 1200;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase('server');
  db = openDatabase(
    { connectionString: database.connectionString },
    { maxConnections: 2, onError: () => {} },
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const verify = (...args: string[]) =>
  runProgram(PROGRAM, args, { DATABASE_URL: database.connectionString });

/** As somebody with every right on the database could, and back again afterwards. */
const tampered = async (...statements: Sql[]) => {
  let flaw: string | null = null;
  const undo = new Error('as it was');
  const attempt = db.transaction(async (tx) => {
    await tx.execute(sql`alter table audit_log disable trigger all`);
    for (const statement of statements) await tx.execute(statement);
    ({ flaw } = await verifyChain(tx));
    throw undo;
  });
  await expect(attempt).rejects.toBe(undo);
  expect((await verifyChain(db)).flaw).toBeNull();
  return flaw;
};

test('an empty record is whole', async () => {
  expect(await verify()).toEqual({ code: 0, stdout: '0 entries, chain is whole\n', stderr: '' });
});

describe('a record of many entries', () => {
  beforeAll(async () => {
    for (let n = 1; n <= ENTRIES; n += 1) {
      const change = { id: `post-${n}`, before: { status: 'PENDING' }, after: { status: 'ü\n🔑' } };
      await record(db, { by: HOST, action: 'postUpdate' }, change);
    }
  });

  test('is whole, and says where it ends', async () => {
    const { code, stdout } = await verify();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1200 entries, chain is whole\nThe last one is 1200:[0-9a-f]{64}\n$/);
  });

  test.each([
    [
      'another word',
      'is not as it was written',
      sql`update audit_log set actor_name = 'ana' where id = 1100`,
    ],
    [
      'another time',
      'is not as it was written',
      sql`update audit_log set at = at + interval '1 us' where id = 1100`,
    ],
    [
      'another difference',
      'is not as it was written',
      sql`update audit_log set after = '{"status": "FAILED"}' where id = 1100`,
    ],
    [
      'one without its difference',
      'is not as it was written',
      sql`update audit_log set before = null where id = 1100`,
    ],
    [
      'another hash',
      'is not as it was written',
      sql`update audit_log set hash = sha256(hash) where id = 1100`,
    ],
    ['one less', 'is missing', sql`delete from audit_log where id = 1100`],
  ])('shows %s', async (_, flaw, statement) => {
    expect(await tampered(statement)).toBe(`Entry 1100 ${flaw}`);
  });

  test('shows one less, also with the gap closed', async () => {
    const flaw = await tampered(
      sql`delete from audit_log where id = 1100`,
      sql`update audit_log set id = -id where id > 1100`,
      sql`update audit_log set id = -id - 1 where id < 0`,
      sql`update audit_head set last_id = last_id - 1`,
    );
    expect(flaw).toBe('Entry 1100 does not follow the one before');
  });

  test('shows two that changed places', async () => {
    const flaw = await tampered(
      sql`update audit_log set id = -1 where id = 1100`,
      sql`update audit_log set id = 1100 where id = 1101`,
      sql`update audit_log set id = 1101 where id = -1`,
    );
    expect(flaw).toBe('Entry 1100 does not follow the one before');
  });

  test('shows that the last ones are gone', async () => {
    expect(await tampered(sql`delete from audit_log where id > 1190`)).toBe(
      'Entry 1191 is missing',
    );
    expect(await tampered(sql`update audit_head set hash = sha256(hash)`)).toBe(
      'The end of the chain is not the last entry',
    );
  });

  test('rewritten as a whole shows only against what was noted elsewhere', async () => {
    const { last } = await verifyChain(db);
    await db.execute(sql`alter table audit_log disable trigger audit_log_append_only`);
    await db.execute(sql`delete from audit_log where id > 1000`);
    await db.execute(sql`
      update audit_head set (last_id, hash) = (select id, hash from audit_log where id = 1000)`);
    await db.execute(sql`alter table audit_log enable always trigger audit_log_append_only`);
    expect((await verify()).code).toBe(0);
    expect(await verify('--seen', `${last.id}:${last.hash}`)).toEqual({
      code: 1,
      stdout: 'Entry 1001 is missing; up to entry 1000 the chain is whole\n',
      stderr: '',
    });
    expect((await verify('--seen', `1000:${last.hash}`)).stdout).toMatch(
      /^Entry 1000 is not the one that was noted; /,
    );
  });
});

test('the command explains itself, and refuses what it does not know', async () => {
  expect(await verify('--help')).toMatchObject({ code: 0, stderr: '' });
  expect(await verify('--repair')).toMatchObject({ code: 2, stdout: '' });
  expect(await verify('--seen', '12')).toEqual({
    code: 2,
    stdout: '',
    stderr: '--seen must be ID:HASH, not "12".\nSee npm run audit:verify -- --help\n',
  });
});
