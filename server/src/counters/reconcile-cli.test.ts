import { beforeAll, expect, test } from 'vitest';
import { setUpDatabase } from '../../test/cluster/test-database.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { runProgram } from '../../test/run-program.ts';
import { sql } from '../db/sql.ts';
import { findDifferences, applyDeltas } from './counters.ts';

const PROGRAM = new URL('./reconcile-cli.ts', import.meta.url);

const { database, db } = setUpDatabase('server');
beforeAll(async () => {
  await insertPost(db, await insertUser(db));
  await applyDeltas(db);
});

const reconcile = (...args: string[]) =>
  runProgram(PROGRAM, args, { DATABASE_URL: database.connectionString });

test('finds wrong counters, names them, and counts again with --repair', async () => {
  expect(await reconcile()).toEqual({
    code: 0,
    stdout: 'Every counter is right.\n',
    stderr: '',
  });
  await db.execute(sql`update user_post_counters set pending = 7`);
  const found = await reconcile();
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(
    /^posts of a user, PENDING, [0-9a-f-]{36}: 7 counted, 1 present\nCounters differ\. /u,
  );
  expect(await reconcile('--repair')).toMatchObject({ code: 0 });
  expect(await findDifferences(db, 1)).toEqual([]);
});

test('explains itself, and refuses what it does not know', async () => {
  expect(await reconcile('--help')).toMatchObject({ code: 0, stderr: '' });
  expect(await reconcile('--fix')).toMatchObject({ code: 2, stdout: '' });
});
