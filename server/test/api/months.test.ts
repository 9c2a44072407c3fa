import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ENGINES, setUpApp } from '../app.ts';
import { schedule, userWithLimits } from './api-calls.ts';

describe.each(ENGINES)('the months of meridian_api on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  test('a month is one of UTC, whatever the time zone of the session', async () => {
    const userId = await userWithLimits(api.db, { monthly_posts_limit: 1 });
    const year = new Date().getUTCFullYear() + 1;
    const march = (day: number) => new Date(Date.UTC(year, 2, day));
    await api.db.transaction(async (tx) => {
      // A month after the first of March in UTC is the 28th there.
      await tx.execute(sql`set local timezone = 'America/New_York'`);
      expect(await schedule(tx, userId, march(30))).toMatchObject({ result: 'scheduled' });
      expect(await schedule(tx, userId, march(5))).toMatchObject({
        limit_name: 'monthly_posts_limit',
        used: 1,
        ends_at: march(32).toISOString(),
      });
      expect(
        await tx.one(sql`
          select to_char(month_ends_at at time zone 'UTC', 'DD HH24:MI') as ends,
            posts_in_month(${userId}, ${march(1).toISOString()}, 9) as posts
          from meridian_api.limits_in_force(${userId})`),
      ).toEqual({ ends: '01 00:00', posts: 1 });
    });
  });
});
