import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { plansOf, scannedBy } from '../../../test/explain.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';
import { countHeld, countNextHour, findDelivery, listAttempts, readWaiting } from './engine.ts';

const POSTS = 8_000;

describe.each(EITHER)('the state of the engine on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await insertManyPosts(api.db, [await insertUser(api.db)], POSTS);
    // As in a service of some age: few posts are still to be published.
    await api.db.execute(sql`
      update posts set status = 'COMPLETED' where status in ('PENDING', 'PROCESSING')
        and id not in (select id from posts where status = 'PENDING' order by id limit 600)`);
    await api.db.execute(sql`
      update posts set scheduled_at = now() + interval '1 minute' * (('x' || left(id::text, 2))::bit(8)::int - 40)
      where status = 'PENDING'`);
    await api.db.execute(sql`
      update posts set hold = 'user_off', claim_at = 'infinity' where id in (
        select id from posts where status = 'PENDING' order by id limit 200)`);
    await api.db.execute(sql`vacuum (analyze) posts, deliveries, delivery_attempts`);
  });

  const READS: [string, (db: Db) => Promise<unknown>][] = [
    ['waiting posts', (db) => readWaiting(db, { lateLimitMinutes: 60, needsAccount: false })],
    ['held posts', countHeld],
    ['the next hour', countNextHour],
    ['a delivery', (db) => findDelivery(db, uuidV7())],
    ['its attempts', (db) => listAttempts(db, uuidV7())],
  ];
  test.each(READS)('reads %s without reading the table of posts', async (_, ask) => {
    const plans = await plansOf(api.db, ask);
    expect(plans).toHaveLength(1);
    expect(scannedBy(plans)).not.toContain('posts');
  });
});
