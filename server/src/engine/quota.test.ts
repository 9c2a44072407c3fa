import { beforeEach, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { grantPlan, insertPost } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';
import { releaseQuota } from '../features/plans/plans.store.ts';
import { inMinutes, setUpClaims } from './testing/claims.ts';

const ACCEPTED = { status: 'PENDING', created_at: inMinutes(-30) } as const;

describe.each(ENGINES)('the monthly limit at a claim on %s', (engine) => {
  const { db, ada, claim, post } = setUpClaims(engine);
  /** The FREE plan, which holds for users without an assignment, allows two posts a month. */
  beforeEach(async () => {
    await db().execute(sql`
      insert into plans (id, tier, name, display_name, description, limits)
      values (gen_random_uuid(), 'FREE', 'free', '{"en": "Free"}', '{"en": "Free"}',
        '{"monthly_posts_limit": 2}')
      on conflict (name) do update set limits = excluded.limits`);
  });
  /** At one instant, so that they belong to one month whenever this runs. */
  const dueTogether = async (count: number) => {
    const scheduled_at = inMinutes(0);
    const ids: string[] = [];
    while (ids.length < count) {
      ids.push(await insertPost(db(), ada(), { ...ACCEPTED, scheduled_at }));
    }
    return ids.toSorted();
  };
  const planEnded = (minutesAgo: number) =>
    grantPlan(db(), ada(), { expires_at: inMinutes(-minutesAgo) });

  test('holds what the plan that is left has no room for, in the order of the times', async () => {
    await planEnded(1);
    const [first, second, third, fourth] = await dueTogether(4);
    const { posts, held } = await claim();
    expect([posts.map(({ id }) => id).toSorted(), held]).toEqual([[first, second], 2]);
    for (const id of [third, fourth]) {
      expect(await post(id ?? '')).toMatchObject({ status: 'PENDING', hold: 'quota', version: 1 });
    }
  });

  test('a time that no call would write keeps no post from being claimed', async () => {
    await planEnded(1);
    const first = await insertPost(db(), ada(), ACCEPTED);
    await db().execute(sql`
      update posts set scheduled_at = '4714-11-24 00:00:00+00 BC' where id = ${first}`);
    const [other] = await dueTogether(1);
    expect((await claim()).posts.toSorted((a, b) => a.dueAt - b.dueAt)).toMatchObject([
      { id: first, tooLate: 'limit' },
      { id: other, tooLate: null },
    ]);
  });

  test('counts neither what was cancelled or failed, nor another month', async () => {
    await planEnded(1);
    for (const status of ['CANCELLED', 'FAILED'] as const) {
      await insertPost(db(), ada(), { status, scheduled_at: inMinutes(0) });
    }
    for (const days of [40, 41]) {
      const scheduled_at = inMinutes(-days * 24 * 60);
      await insertPost(db(), ada(), { status: 'COMPLETED', scheduled_at });
    }
    await dueTogether(2);
    expect(await claim()).toMatchObject({ held: 0, posts: { length: 2 } });
  });

  test.each([
    ['no plan ever ended', async () => undefined],
    ['the plan had ended before they were accepted', () => planEnded(60)],
    ['a plan goes on', () => grantPlan(db(), ada())],
  ])('publishes what was accepted when %s', async (_, arrange) => {
    await arrange();
    await dueTogether(4);
    expect(await claim()).toMatchObject({ held: 0, posts: { length: 4 } });
  });

  test.each([
    ['lets them go once the plan allows more', -1, { held: 0, posts: { length: 2 } }],
    ['holds them again when it still leaves no room', 1, { held: 2, posts: [] }],
  ])('%s', async (_, monthly_posts_limit, outcome) => {
    await planEnded(1);
    await dueTogether(4);
    expect(await claim()).toMatchObject({ held: 2, posts: { length: 2 } });
    await db().execute(sql`update plans set limits = ${JSON.stringify({ monthly_posts_limit })}`);
    await releaseQuota(db());
    expect(await claim()).toMatchObject(outcome);
  });

  test('publishes what an administrator sets to PROCESSING', async () => {
    await planEnded(1);
    const [, , id = ''] = await dueTogether(3);
    await claim();
    expect(await post(id)).toMatchObject({ hold: 'quota' });
    await db().execute(sql`update posts set status = 'PROCESSING' where id = ${id}`);
    expect((await claim()).posts).toMatchObject([{ id }]);
  });
});
