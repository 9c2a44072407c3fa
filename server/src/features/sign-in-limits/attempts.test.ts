import { beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { queueUp } from '../../../test/queue-up.ts';
import { sql } from '../../db/sql.ts';
import { deleteOldBuckets, refundAttempt, reserveAttempt } from './attempts.store.ts';
import type { Bucket, CountedAttempt } from './attempts.store.ts';

const LIMIT = 3;

const bucketOf = (subject: string): Bucket => ({
  subject,
  purpose: 'a test',
  limit: LIMIT,
  windowSeconds: 900,
  backoff: 'rest-of-window',
});

describe.each(EITHER)('attempt buckets on %s', (engine) => {
  const api = setUpApp(engine);
  beforeEach(() => api.db.execute(sql`delete from attempt_buckets`));

  const counted = async (bucket: Bucket): Promise<CountedAttempt> => {
    const reserved = await reserveAttempt(api.db, bucket);
    if (reserved.counted === null) throw new Error('Not counted');
    return reserved.counted;
  };
  /** The attempts of every bucket, in ascending order. */
  const attempts = async () => {
    const rows = await api.db.many<{ attempts: number }>(
      sql`select attempts from attempt_buckets order by attempts`,
    );
    return rows.map((row) => row.attempts);
  };

  test('are deleted with the last refund', async () => {
    const bucket = bucketOf('refunded');
    const given = [await counted(bucket), await counted(bucket), await counted(bucket)];
    expect((await reserveAttempt(api.db, bucket)).counted).toBeNull();
    const left = [];
    for (const count of given) {
      await refundAttempt(api.db, count);
      left.push(...(await attempts()));
    }
    expect(left).toEqual([2, 1]);
    expect(await attempts()).toEqual([]);
    await counted(bucket);
    // Of the deleted bucket, not of this one.
    for (const count of given) await refundAttempt(api.db, count);
    expect(await attempts()).toEqual([1]);
  });

  test.each(['the refund', 'the new attempt'])(
    'count an attempt that is concurrent with the last refund: %s first',
    async (first) => {
      const bucket = bucketOf(`a race, ${first}`);
      const early = await counted(bucket);
      const refund = () => refundAttempt(api.db, early);
      const count = () => reserveAttempt(api.db, bucket);
      const calls = first === 'the new attempt' ? [count, refund] : [refund, count];
      await queueUp(api.db, sql`select from attempt_buckets for update`, calls);
      expect(await attempts()).toEqual([1]);
    },
  );

  test('are deleted after a day unless closed, and the oldest beyond the maximum', async () => {
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
