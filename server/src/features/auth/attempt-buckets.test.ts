import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { queueUp } from '../../../test/queue-up.ts';
import { sql } from '../../db/sql.ts';
import { deleteOldBuckets, giveBackAttempt, reserveAttempt } from './attempt-buckets.store.ts';
import type { Bucket, Count } from './attempt-buckets.store.ts';

const LIMIT = 3;

const bucketOf = (who: string): Bucket => ({
  who,
  what: 'a test',
  limit: LIMIT,
  windowSeconds: 900,
  pause: 'window',
});

describe.each(ENGINES)('counters of attempts on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  beforeEach(() => api.db.execute(sql`delete from attempt_buckets`));
  afterAll(() => api.close());

  const counted = async (bucket: Bucket): Promise<Count> => {
    const { count } = await reserveAttempt(api.db, bucket);
    if (count === null) throw new Error('Not counted');
    return count;
  };
  /** The attempts in every counter, the least first. */
  const attempts = async () => {
    const rows = await api.db.many<{ attempts: number }>(
      sql`select attempts from attempt_buckets order by attempts`,
    );
    return rows.map((row) => row.attempts);
  };

  test('are gone with the last attempt that is given back', async () => {
    const bucket = bucketOf('nobody');
    const given = [await counted(bucket), await counted(bucket), await counted(bucket)];
    expect((await reserveAttempt(api.db, bucket)).count).toBeNull();
    const left = [];
    for (const count of given) {
      await giveBackAttempt(api.db, count);
      left.push(...(await attempts()));
    }
    expect(left).toEqual([2, 1]);
    expect(await attempts()).toEqual([]);
    await counted(bucket);
    // Of a counter that was there before, not of this one.
    for (const count of given) await giveBackAttempt(api.db, count);
    expect(await attempts()).toEqual([1]);
  });

  test.each(['the attempt given back', 'the new one'])(
    'stay for an attempt that comes at the same moment: %s first',
    async (first) => {
      const bucket = bucketOf(`a race, ${first}`);
      const early = await counted(bucket);
      const giveBack = () => giveBackAttempt(api.db, early);
      const count = () => reserveAttempt(api.db, bucket);
      const calls = first === 'the new one' ? [count, giveBack] : [giveBack, count];
      await queueUp(api.db, sql`select from attempt_buckets for update`, calls);
      expect(await attempts()).toEqual([1]);
    },
  );

  test('that are too many go, the oldest first, and those of a day ago but for closed ones', async () => {
    await api.db.execute(sql`
      insert into attempt_buckets (key, attempts, started_at, blocked_until, allowed, updated_at)
      select sha256(hours::text::bytea), hours, now(), case hours when 30 then timestamptz 'infinity' end,
             true, now() - make_interval(hours => hours)
      from unnest(array[1, 2, 3, 4, 25, 30]) as hours`);
    await deleteOldBuckets(api.db);
    expect(await attempts()).toEqual([1, 2, 3, 4, 30]);
    await deleteOldBuckets(api.db, 5);
    expect(await attempts()).toEqual([1, 2, 3, 4, 30]);
    await deleteOldBuckets(api.db, 2);
    expect(await attempts()).toEqual([1, 2]);
  });
});
