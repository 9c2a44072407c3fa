import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { countingReads } from '../../../test/counting-reads.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import type { Db } from '../../db/database.ts';
import { PLAN_BY_INDEX_LOCALLY, sql } from '../../db/sql.ts';
import { groupFailures } from '../failures/failures.ts';
import { readWaiting } from '../suspension/suspension.ts';
import { listFilteredPosts } from '../posts/posts-filtered.store.ts';
import { findRetryFacts } from '../posts/retry.ts';
import { findVerdictFacts } from '../schedule-check/schedule-check.ts';
import { readDuePosts, readNow } from '../overview/overview.ts';

const POSTS = 8_000;
/** Of the failures in the period there are some 150; nothing may be read for each post. */
const READ_MAX = 1_500;
const PERIOD = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' };
/** Of the 13 days over which the posts are spread. */
const LAST_HOURS = { from: '2026-03-13T20:00:00.000Z', to: '2026-03-13T22:00:00.000Z' };

const SLOTS = { hour: { minutes: 1, count: 60 }, day: { minutes: 15, count: 96 } };

describe.each(EITHER)("the desk's reads on %s", (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  let user: string;
  beforeAll(async () => {
    admin = await api.signIn();
    const others = await Promise.all(Array.from({ length: 40 }, () => insertUser(api.db)));
    user = others[0] ?? '';
    await insertManyPosts(api.db, others, POSTS);
    // As in a service of some age: most are published, few are pending, some were retried.
    await api.db.execute(sql`
      update posts set status = 'COMPLETED' where status in ('PENDING', 'PROCESSING')
        and id not in (select id from posts where status = 'PENDING' order by id limit 300)`);
    await api.db.execute(sql`
      update posts set cause = 'host_down', updated_at = scheduled_at where status = 'FAILED'`);
    await api.db.execute(sql`
      update posts set scheduled_at = now() + interval '1 minute' * (('x' || left(id::text, 2))::bit(8)::int - 40)
      where status = 'PENDING'`);
    await api.db.execute(sql`
      update posts set retry_of = gen_random_uuid() where id in (
        select id from posts where status = 'COMPLETED' order by id limit 500)`);
    await api.db.execute(sql`
      update posts set hold = 'user_off', claim_at = 'infinity' where id in (
        select id from posts where status = 'PENDING' order by id limit 100)`);
    await api.db.execute(sql`
      insert into admin_visits (admin_id, seen_at, since)
      select ${admin.adminId}, now(), scheduled_at from posts where status = 'COMPLETED'
      order by scheduled_at desc offset 100 limit 1
      on conflict (admin_id) do update set since = excluded.since`);
    await api.db.execute(sql`vacuum (analyze) posts`);
  });

  const READS: [string, (db: Db) => Promise<unknown>][] = [
    ['groups of failures', (db) => groupFailures(db, PERIOD, 24)],
    ['posts that wait for a resume', (db) => readWaiting(db, PERIOD.from, { needsAccount: true })],
    ['one failure', (db) => findRetryFacts(db, user)],
    ['all that needs attention now', (db) => readNow(db, admin.adminId)],
    ['posts that are due', (db) => readDuePosts(db, SLOTS)],
    ['a verdict', (db) => findVerdictFacts(db, user)],
  ];
  test.each(READS)('%s are read by an index, not past all posts', async (_, ask) => {
    const found = await api.db.transaction(async (tx) => {
      await tx.execute(PLAN_BY_INDEX_LOCALLY);
      const { db, read } = countingReads(tx, 'posts');
      await ask(db);
      return read();
    });
    expect(found).toBeLessThan(READ_MAX);
  });

  test('a period of one status is read to its end, not to the last post of that status', async () => {
    const { count } = await api.db.one<{ count: number }>(sql`
      select count(*)::integer as count from posts where status = 'COMPLETED'`);
    expect(count).toBeGreaterThan(4_000);
    const pages = await api.db.transaction(async (tx) => {
      await tx.execute(PLAN_BY_INDEX_LOCALLY);
      const counting = countingReads(tx, 'posts');
      const db = { ...api.db, byIndex: counting.db };
      const filter = { status: 'COMPLETED', ...LAST_HOURS } as const;
      const request = { sort: 'scheduled_at', order: 'desc', limit: 1, offset: 0 } as const;
      await listFilteredPosts(db, filter, { ...request, status: 'COMPLETED' });
      return counting.pages();
    });
    expect(pages).toBeLessThan(40);
  });
});
