import { bulkGet, bulkPreview, bulkStart } from '@meridian/contract/bulk';
import { afterEach, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { sql } from '../../server/src/db/sql.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { judge, note } from '../../server/test/figures.ts';
import { insertUser } from '../../server/test/fixtures.ts';
import { openPatient } from '../../server/test/patient.ts';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';
import { whileLocked } from '../../server/test/queue-up.ts';

/** The long run cancels 100,000. */
const POSTS = Number(process.env['BULK_POSTS'] ?? 3_000);
const PART = 5_000;
const PROMISED_SECONDS = 60;

const closers = createClosers();
afterEach(() => closers.closeAll());

test(`${POSTS} posts are cancelled by one bulk change, killed half way: each once`, async () => {
  const database = await createTestDatabase('server');
  closers.add(() => database.drop());
  const { connectionString } = database;
  const DATA_DIR = await makeDataDir(closers);
  const env = { DATABASE_URL: connectionString, DATA_DIR };
  const db = openPatient({ connectionString }, 2);
  closers.add(() => db.close());
  let server = await ServerProcess.start(env);
  closers.add(async () => void (await server.stop()));
  const user = await insertUser(db);
  // In parts, each within the time of a statement.
  for (let first = 1; first <= POSTS; first += PART) {
    await db.execute(sql`
      insert into posts (id, user_id, content, scheduled_at)
      select gen_random_uuid(), ${user}, 'post ' || n, now() + interval '1 day'
      from generate_series(${first}::int, ${Math.min(POSTS, first + PART - 1)}::int) n`);
  }

  const startedAt = performance.now();
  const body = { action: 'postCancel', selection: { posts: { userId: user } } } as const;
  const { token, count } = await server.call(bulkPreview, { body });
  const session = await server.token();
  // Half of the posts are left for later as long as another transaction holds them.
  const half = sql`
    select from posts where user_id = ${user} order by id desc limit ${sql.whole(POSTS / 2)} for update`;
  const params = { id: '' };
  await whileLocked(db, half, async () => {
    const { change } = await server.call(bulkStart, { body: { token, typedCount: count } });
    params.id = change.id;
    const done = async () => (await server.call(bulkGet, { params })).change.done;
    await expect.poll(done).toBeGreaterThan(POSTS / 3);
    await server.kill();
  });
  const { before } = await db.one<{ before: number }>(sql`
    select count(*) as before from posts where status = 'CANCELLED'`);
  server = (await ServerProcess.start(env)).continueSession(session);
  const state = async () => (await server.call(bulkGet, { params })).change.state;
  await expect.poll(state, { timeout: 120_000, interval: 50 }).toBe('DONE');
  const seconds = (performance.now() - startedAt) / 1000;

  const { change: finished } = await server.call(bulkGet, { params });
  expect(finished).toMatchObject({ total: POSTS, done: POSTS, skipped: 0, failed: 0 });
  const posts = await db.many(sql`
    select status, version, count(*) as n from posts group by status, version`);
  // A second change of a post would have made it version 3.
  expect(posts).toEqual([{ status: 'CANCELLED', version: 2, n: POSTS }]);
  expect(before).toBeLessThanOrEqual(POSTS / 2);
  note({ what: 'bulk cancel with a kill', posts: POSTS, 'done before the kill': before });
  judge({
    goal: `${POSTS} posts cancelled by one bulk change with a kill: each once, within ${PROMISED_SECONDS} s`,
    measured: `${finished.done} done in ${seconds.toFixed(1)} s`,
    isMet: seconds <= PROMISED_SECONDS,
  });
});
