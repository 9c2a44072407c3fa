import { describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { EITHER } from '../../server/test/app.ts';
import { setUpDatabase } from '../../server/test/cluster/test-database.ts';
import { runProgram } from '../../server/test/run-program.ts';

const PROGRAM = new URL('../../server/src/seed/seed-cli.ts', import.meta.url);

const run = (args: string[], env?: NodeJS.ProcessEnv) => runProgram(PROGRAM, args, env);

describe.each(EITHER)('seeding on the %s engine', (engine) => {
  const { database, db } = setUpDatabase(engine);
  const seed = (...args: string[]) => run(args, { DATABASE_URL: database.connectionString });
  const counts = () =>
    db.one(
      sql`select (select count(*) from users) as users, (select count(*) from posts) as posts`,
    );

  test('posts alone need users', async () => {
    expect(await seed('--posts', '5')).toMatchObject({
      code: 1,
      stderr: 'Posts need users, and there are none yet. Add some with --users N.\n',
    });
    expect(await counts()).toEqual({ users: 0, posts: 0 });
  });

  test('adds exactly as many as asked, also to what is there', async () => {
    expect(await seed('--users', '40', '--posts', '300')).toMatchObject({ code: 0, stderr: '' });
    expect(await counts()).toEqual({ users: 40, posts: 300 });
    expect(await seed('--posts', '20')).toMatchObject({ code: 0 });
    expect(await seed('--users', '3')).toMatchObject({ code: 0 });
    expect(await counts()).toEqual({ users: 43, posts: 320 });
  });

  const schema = () =>
    db.many(sql`
      select pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid in ('users'::regclass, 'posts'::regclass)
      union all
      select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where conrelid in ('users'::regclass, 'posts'::regclass)
      union all
      select tgname || ' ' || tgenabled::text from pg_trigger
      where tgrelid in ('users'::regclass, 'posts'::regclass) and not tgisinternal
      order by 1`);

  test('rebuilds all indexes and constraints after a large load', async () => {
    const before = await schema();
    const { code, stdout } = await seed('--users', '500', '--posts', '20000', '--seed', 'same');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Indexes +100%/mu);
    expect(await counts()).toEqual({ users: 543, posts: 20_320 });
    expect(await schema()).toEqual(before);
    const { share } = await db.one<{ share: string }>(sql`
      select sum(posts) filter (where rank <= 50) / sum(posts) as share
      from (select count(*) as posts, row_number() over (order by count(*) desc) as rank
            from posts group by user_id) as by_user`);
    // A tenth of the users writes far more than a tenth of the posts.
    expect(Number(share)).toBeGreaterThan(0.4);
  });

  test('leaves the kept numbers true and nothing to add up', async () => {
    expect(await db.many(sql`select * from counter_differences`)).toEqual([]);
    expect(await db.many(sql`select * from pending_counters`)).toEqual([]);
  });

  test('leaves everything as it was when a large load fails', async () => {
    const before = await schema();
    // The same people once more: their DIDs are taken, which shows when the constraint comes back.
    const { code, stderr } = await seed('--users', '500', '--posts', '20500', '--seed', 'same');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database refused: .*users_did_key.* Nothing was added\.\n$/u);
    expect(await counts()).toEqual({ users: 543, posts: 20_320 });
    expect(await schema()).toEqual(before);
  });
});

describe('the command line', () => {
  test('explains itself', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('npm run seed -- --users 10000 --posts 1000000');
  });

  test('ends with code 2 when it is wrong', async () => {
    expect(await run([])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Say how much to add: --users N, --posts N, or both.\nSee npm run seed -- --help\n',
    });
  });

  test('says when the database cannot be reached', async () => {
    const { code, stderr } = await run(['--users', '1'], {
      DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Cannot reach the database at 127\.0\.0\.1:1 \(ECONNREFUSED\)[^\n]*\n$/u,
    );
    expect(stderr).not.toContain('secret');
  });
});
