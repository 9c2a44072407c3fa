import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../../src/audit/audit.store.ts';
import { sql } from '../../src/db/sql.ts';
import { createSuspensionService } from '../../src/features/suspension/suspension.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { openStage, OPTIONS } from './stage.ts';
import type { Stage } from './stage.ts';

const MINUTE = 60_000;
const POSTS = 240;
/** Evenly over the 90 minutes of the suspension, none on the edge of a band. */
const MINUTES_LATE = Array.from({ length: POSTS }, (_, index) => ((index + 0.5) * 90) / POSTS);
const PER_MINUTE = 20;
const USERS = 12;

describe('suspended for 90 minutes with 240 posts, then resumed by a plan', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage('embedded');
  });
  afterAll(() => stage.close());

  const count = (condition: ReturnType<typeof sql>) =>
    stage.db
      .one<{ count: number }>(sql`select count(*)::integer as count from posts where ${condition}`)
      .then((row) => row.count);

  /** As if the next minute had passed. No turn is before the resume: the plan would give it again. */
  const passMinute = () =>
    stage.db.transaction(async (tx) => {
      await tx.execute(sql`update catch_up set next_at = next_at - interval '1 minute'`);
      await tx.execute(sql`
        update posts set claim_at = greatest(claim_at - interval '1 minute',
          (select resume_as_of from service_settings) + interval '1 millisecond')
        where hold = 'catch_up'`);
      await tx.execute(sql`select pg_notify('engine', 'wake')`);
    });

  test('what is older than 60 is too late, the rest goes out at 20 a minute, as the preview said', async () => {
    await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
    const users = await Promise.all(Array.from({ length: USERS }, () => stage.addUser(null)));
    const due = await Promise.all(
      MINUTES_LATE.map((minutes, index) => {
        const user = users[index % USERS] ?? { id: '', did: '' };
        return stage.addPost(user, -minutes * MINUTE);
      }),
    );
    await stage.startEngine(createLocalNetwork(stage.db));
    const suspension = createSuspensionService(stage.db, {
      lateLimitMinutes: OPTIONS.lateLimitMs / MINUTE,
      needsAccount: false,
    });
    const { token, bands } = await suspension.preview();
    expect(bands).toMatchObject([
      { band: 'upTo15Minutes', count: 40 },
      { band: 'upTo1Hour', count: 120 },
      { band: 'upTo6Hours', count: 80 },
      { band: 'upTo24Hours', count: 0 },
      { band: 'older', count: 0 },
    ]);
    const body = { token, tooLate: ['upTo6Hours' as const], perMinute: PER_MINUTE };
    const plan = await suspension.resume(HOST, body);
    expect(plan).toEqual({ publish: 160, tooLate: 80, perMinute: PER_MINUTE });

    await expect.poll(() => count(sql`cause = 'too_late'`)).toBe(80);
    await expect.poll(() => count(sql`status = 'PENDING' and hold is null`)).toBe(0);
    const turns = await stage.db.many<{ gap: number | null }>(sql`
      select (extract(epoch from claim_at - lag(claim_at) over (order by claim_at)))::float8 as gap
      from posts where hold = 'catch_up'`);
    const gaps = turns.map(({ gap }) => gap).filter((gap) => gap !== null);
    expect(gaps.length).toBeGreaterThan(140);
    expect(new Set(gaps.map((gap) => Math.round(gap * 1000)))).toEqual(new Set([3_000]));

    for (let minute = 1; minute <= 160 / PER_MINUTE; minute += 1) {
      await passMinute();
      const least = Math.min(160, minute * PER_MINUTE);
      await expect.poll(() => count(sql`status = 'COMPLETED'`)).toBeGreaterThanOrEqual(least);
    }
    await expect.poll(() => count(sql`status = 'COMPLETED'`)).toBe(160);
    expect(await count(sql`status = 'FAILED'`)).toBe(80);
    const late = await stage.db.many<{ id: string }>(sql`
      select id from posts where status = 'FAILED' order by scheduled_at desc`);
    expect(late.map(({ id }) => id)).toEqual(due.slice(160));
    const sentences = await stage.db.many(
      sql`select distinct error_msg from posts where cause = 'too_late'`,
    );
    expect(sentences).toEqual([
      { error_msg: 'Not published in time: marked as too late when the service was resumed' },
    ]);
  });
});
