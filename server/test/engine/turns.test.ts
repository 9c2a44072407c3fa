import { describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { CLAIM_BATCH } from '../../src/engine/claim.ts';
import { setUpClaims } from '../../src/engine/testing/claims.ts';

const WORKERS = 8;
const ROUNDS = 5;

describe('turns after a suspension', () => {
  const { db, ada, claim } = setUpClaims('server');

  test('are in the order of the times, however many workers claim at once', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await db().execute(sql`delete from posts`);
      await db().execute(sql`delete from catch_up`);
      await db().execute(sql`
        insert into posts (id, user_id, content, scheduled_at)
        select gen_random_uuid(), ${ada()}, 'Waits', now() - interval '10 minutes' + n * interval '100 ms'
        from generate_series(1, ${WORKERS * CLAIM_BATCH}::integer) as n`);
      const claims = await Promise.all(Array.from({ length: WORKERS }, () => claim()));
      expect(Math.min(...claims.map(({ examined }) => examined))).toBe(CLAIM_BATCH);
      await claim();
      const order = await db().one<{ sooner: number; claimed: number }>(sql`
        select count(*) filter (where turn < before)::integer as sooner, sum(is_claimed::integer)::integer as claimed
        from (select turn, lag(turn) over (order by scheduled_at) as before, is_claimed from (
          select scheduled_at, status = 'PROCESSING' as is_claimed,
            case status when 'PENDING' then claim_at else now() - interval '1 minute' end as turn
          from posts) as turns) as ordered`);
      expect(order).toEqual({ sooner: 0, claimed: 1 });
    }
  });
});
