import { afterEach, describe, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { sql } from '../../server/src/db/sql.ts';
import { startLocalHost } from '../../server/src/network/testing/local-host.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import * as figures from '../../server/test/figures.ts';
import { insertUser } from '../../server/test/fixtures.ts';
import { openPatient } from '../../server/test/patient.ts';
import { judge, watchPending } from './exactly-once.ts';
import { startFaultyHost } from './faulty-host.ts';
import { KILL_POINTS } from './kill-points.ts';
import type { Mutation } from './kill-points.ts';
import { runKills } from './kill-run.ts';

/** The long run has more of both. */
const POSTS = Number(process.env['ENGINE_POSTS'] ?? 1_000);
const KILLS = Number(process.env['ENGINE_KILLS'] ?? 20);
const SEED = process.env['KILL_SEED'] ?? '20261116';
const PROCESSES = 4;
const LEASE_MS = 3_000;
const POSTS_PER_USER = 10;

const closers = createClosers();
afterEach(() => closers.closeAll());

type Numbers = {
  posts: number;
  kills: number;
  processes: number;
  leaseMs: number;
  mutation?: Mutation;
};

/** Posts on a database of their own, a host with faults, and workers that are killed. */
async function publish({ posts, mutation, ...numbers }: Numbers) {
  const database = await createTestDatabase('server');
  closers.add(() => database.drop());
  const { connectionString } = database;
  const db = openPatient({ connectionString }, 2);
  closers.add(() => db.close());
  const local = await startLocalHost();
  closers.add(() => local.close());
  const host = await startFaultyHost(local);
  closers.add(() => host.close());
  for (let user = 0; user * POSTS_PER_USER < posts; user += 1) await insertUser(db);
  await db.execute(sql`insert into accounts (user_id, host) select id, ${host.url} from users`);
  await watchPending(db);
  const seed = `${SEED} ${mutation ?? ''}`;
  const run = { db, connectionString, posts, seed, ...numbers };
  const outcome = await runKills({ ...run, mutation: mutation ?? null });
  const verdict = await judge(db, local.url, host.firstSentAt);
  return { ...outcome, verdict, faults: host.faults() };
}

describe(`workers killed while they publish, seed ${SEED}`, () => {
  test(`${POSTS} posts, ${KILLS} kills, every fifth request a fault: each is published once`, async () => {
    const { done, posts, verdict, faults } = await publish({
      posts: POSTS,
      kills: KILLS,
      processes: PROCESSES,
      leaseMs: LEASE_MS,
    });
    const { duplicates, lost, pendingThoughSent, wrongAddress } = verdict;
    const wrong = [duplicates, lost, pendingThoughSent, wrongAddress].map(({ length }) => length);
    figures.note({
      what: 'kill -9 of engine processes',
      seed: SEED,
      posts,
      kills: KILLS,
      'faults of the host': faults,
      duplicates: duplicates.length,
      lost: lost.length,
      'PENDING though sent': pendingThoughSent.length,
    });
    figures.judge({
      goal: `${POSTS} posts, ${KILLS} kills of engines: 0 duplicates, 0 lost, 0 PENDING that was sent`,
      measured: `${wrong.slice(0, 3).join(', ')} of ${posts}`,
      isMet: wrong.every((count) => count === 0),
    });
    expect(verdict).toEqual({
      posts,
      duplicates: [],
      lost: [],
      pendingThoughSent: [],
      wrongAddress: [],
    });
    expect(posts).toBeGreaterThanOrEqual(POSTS);
    expect([...done.values()].reduce((sum, count) => sum + count, 0)).toBe(KILLS);
    expect([...done.keys()]).toEqual(expect.arrayContaining([...KILL_POINTS]));
    expect(faults).toBeGreaterThanOrEqual(POSTS / 5);
  });

  test.each<Mutation>(['createRecord', 'a new key per attempt'])(
    'publishing with %s duplicates posts, and that is found',
    async (mutation) => {
      const { verdict } = await publish({
        posts: 40,
        kills: 2,
        processes: 2,
        leaseMs: 2_000,
        mutation,
      });
      expect(verdict.duplicates).not.toEqual([]);
    },
  );
});
