import { expect, test } from 'vitest';
import { setUpDatabase } from '../../test/cluster/test-database.ts';
import { sql } from '../db/sql.ts';
import { uuidV7 } from '../db/columns.ts';
import { createFurtherPosts, nextDueAt } from './demo-data.ts';

const { db } = setUpDatabase('server');
const DIDS = ['did:plc:ana', 'did:plc:bea', 'did:plc:nobody-here'];

const writerOf = (dids: readonly string[]) => {
  let written = 0;
  return () => {
    const did = dids[written % dids.length] ?? '';
    written += 1;
    return {
      did,
      content: `Text ${written}`,
      facets: null,
      embed: null,
      languages: ['en'],
      length: 6,
      pictures: 0,
    };
  };
};
const posts = () =>
  db.many<{ id: string; status: string; due: string }>(sql`
    select id, status, scheduled_at as due from posts order by scheduled_at`);
/** As the engine leaves it. */
const publish = () =>
  db.execute(sql`
    with sent as (
      update posts p set status = 'COMPLETED', executed_at = scheduled_at, at_rkey = p.id::text,
        at_uri = 'at://' || u.did || '/app.bsky.feed.post/' || p.id
      from users u where u.id = p.user_id and p.status = 'PENDING' returning p.id, p.user_id, u.did),
    journal as (
      insert into deliveries (post_id, user_id, did, host, writes)
      select id, user_id, did, 'local', '[]' from sent)
    insert into local_records (did, collection, rkey, cid, record)
    select did, 'app.bsky.feed.post', id::text, 'cid', '{}' from sent`);

/** Of one minute and those after it. */
const at = (second: number) => new Date(2026, 10, 15, 12, 0, second);

test.each([
  [new Date(2026, 10, 15, 12, 30, 0, 1), new Date(2026, 10, 15, 12, 31)],
  [new Date(2026, 10, 15, 12, 31), new Date(2026, 10, 15, 12, 32)],
  [new Date(2026, 10, 15, 23, 59, 30), new Date(2026, 10, 16, 0, 0)],
  [new Date(2026, 10, 15, 0, 1), new Date(2026, 10, 15, 0, 10)],
  [new Date(2026, 10, 15, 5, 59, 59), new Date(2026, 10, 15, 6, 0)],
])('after %s the next one is due at %s', (now, dueAt) => {
  expect(nextDueAt(now)).toEqual(dueAt);
});

test('one post a minute, and none while the last one waits', async () => {
  for (const did of DIDS.slice(0, 2)) {
    await db.execute(sql`insert into users (id, did, handle) values (${uuidV7()}, ${did}, ${did})`);
  }
  const next = createFurtherPosts(db, writerOf(DIDS.slice(0, 2)));
  await next(at(10));
  await next(at(40));
  expect(await posts()).toMatchObject([{ status: 'PENDING', due: at(60).toISOString() }]);
  await next(at(70));
  expect(await posts()).toHaveLength(1);
  await publish();
  await next(at(70));
  // Another process, or the next start within the same minute.
  await createFurtherPosts(db, writerOf(DIDS))(at(75));
  expect((await posts()).map(({ due }) => due)).toEqual(
    [60, 120].map((second) => at(second).toISOString()),
  );
  await db.execute(sql`update users set is_active = false where did = ${DIDS[0]}`);
  await publish();
  await createFurtherPosts(db, writerOf(DIDS))(at(130));
  expect(await posts()).toHaveLength(2);
  await db.execute(sql`update users set is_active = true`);
});

test('what is older than a day goes, with journal and record, and nothing else does', async () => {
  const next = createFurtherPosts(db, writerOf(DIDS));
  const own = uuidV7();
  await db.execute(sql`
    insert into posts (id, user_id, content, status, scheduled_at, created_at)
    select ${own}, id, 'Own', 'COMPLETED', '2026-01-01', '2026-01-01' from users where did = ${DIDS[0]}`);
  const start = new Date(2026, 10, 16, 12);
  const HOURS = 96;
  for (let hour = 0; hour < HOURS; hour += 1) {
    await next(new Date(start.getTime() + hour * 3_600_000));
    await publish();
  }
  const left = await posts();
  expect(left[0]?.id).toBe(own);
  // Two hours of three have an author, each of whom writes every third hour.
  expect(left.length - 1).toBeGreaterThan(14);
  expect(left.length - 1).toBeLessThan(20);
  const counts = await db.one(sql`
    select (select count(*) from local_records) as records, (select count(*) from deliveries) as deliveries`);
  expect(counts).toEqual({ records: left.length - 1, deliveries: left.length - 1 });
});
