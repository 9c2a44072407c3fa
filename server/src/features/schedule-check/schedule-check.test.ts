import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { schedulePost } from '../../../test/engine-fixtures.ts';
import { grantPlan, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { createScheduleChecks } from './schedule-check.ts';

describe.each(EITHER)('what a user can do on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
  });

  const get = async (id: string) =>
    (await api.call(scheduleCheckGet, { token, params: { id } })).answer.scheduleCheck;
  const reasons = async (id: string) => {
    const { scheduling, publishing } = await get(id);
    return [scheduling.map(({ word }) => word), publishing.map(({ word }) => word)];
  };
  const turn = (change: ReturnType<typeof sql>) =>
    api.db.execute(sql`update service_settings set ${change}`);
  const withPlan = async (fields: Parameters<typeof insertUser>[1] = {}) => {
    const id = await insertUser(api.db, fields);
    await grantPlan(api.db, id);
    return id;
  };

  test('depends on the plan, and says where the limits come from', async () => {
    const id = await insertUser(api.db);
    expect(await reasons(id)).toEqual([[], []]);
    expect(await get(id)).toMatchObject({ source: null, limits: [] });
    await api.db.execute(sql`
      insert into plans (id, tier, name, display_name, description, limits)
      values (gen_random_uuid(), 'FREE', 'free', '{"en": "Free"}', '{"en": "Free"}',
        '{"monthly_posts_limit": 1, "pending_posts_limit": 5}')`);
    expect((await get(id)).source).toMatchObject({ plan: 'free', assignmentId: null });

    const { assignmentId, ticketId } = await grantPlan(api.db, id, { code: 'ABCD-EFGH-JKLM-NPQR' });
    await api.db.execute(sql`
      update tickets set limits_override = '{"monthly_posts_limit": 2}' where id = ${ticketId}`);
    for (const status of ['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const) {
      await schedulePost(api.db, id, { inSeconds: 0, status });
    }
    await schedulePost(api.db, id, { inSeconds: -40 * 86_400, status: 'COMPLETED' });
    const scheduleCheck = await get(id);
    expect(scheduleCheck.source).toMatchObject({ assignmentId, ticketCode: 'ABCD-EFGH-JKLM-NPQR' });
    expect(scheduleCheck.limits).toContainEqual({
      name: 'monthly_posts_limit',
      plan: 10,
      override: 2,
      effective: 2,
      usage: 2,
    });
    expect(scheduleCheck.scheduling).toEqual([
      {
        word: 'monthly_posts',
        sentence: 'the monthly posts of the plan are used up',
        control: 'assignments',
      },
    ]);
    const { limits } = await api.db.one<{ limits: object }>(
      sql`select effective_limits(${id}) as limits`,
    );
    expect(limits).toMatchObject({ monthly_posts_limit: 2, thread_posts: false });
    await api.db.execute(sql`
      update plans set limits = limits || '{"pending_posts_limit": 1}' where tier = 'BASIC'`);
    expect((await reasons(id))[0]).toEqual(['monthly_posts', 'pending_posts']);
  });

  test('an assignment that has expired is none', async () => {
    const id = await insertUser(api.db);
    await grantPlan(api.db, id, { expires_at: '2026-01-11T00:00:00.000Z' });
    expect((await get(id)).source).toMatchObject({ plan: 'free' });
  });

  test.each([
    ['ACTIVE', true, [], []],
    ['RESTRICTED', true, ['restricted'], []],
    ['SUSPENDED', true, ['suspended'], ['suspended']],
    ['BLOCKED', true, ['blocked'], ['blocked']],
    ['ACTIVE', false, ['inactive'], ['inactive']],
  ] as const)('of %s, active %s', async (status, is_active, scheduling, publishing) => {
    expect(await reasons(await withPlan({ status, is_active }))).toEqual([scheduling, publishing]);
  });

  test('closed beta keeps newcomers without a keyword from scheduling', async () => {
    await turn(sql`is_closed_beta = true`);
    const created_at = new Date(Date.now() + 1000).toISOString();
    expect(await reasons(await withPlan())).toEqual([[], []]);
    expect(await reasons(await withPlan({ created_at }))).toEqual([['closed_beta'], []]);
    const keyword = { created_at, has_access_keyword_access: true };
    expect(await reasons(await withPlan(keyword))).toEqual([[], []]);
    await turn(sql`is_closed_beta = false, is_service_suspended = true`);
    expect(await reasons(await withPlan({ created_at }))).toEqual([
      ['service_suspended'],
      ['service_suspended'],
    ]);
    await turn(sql`is_service_suspended = false`);
  });

  test.each([
    ['CONNECTED', []],
    ['RECONNECT', ['reconnect']],
    ['DEACTIVATED', ['account_deactivated']],
    ['TAKEN_DOWN', ['taken_down']],
    ['GONE', ['account_gone']],
  ])('an account that is %s', async (state, publishing) => {
    const id = await withPlan();
    await api.db.execute(sql`
      insert into accounts (user_id, host, state) values (${id}, 'pds.example', ${state})`);
    expect(await reasons(id)).toEqual([[], publishing]);
    expect((await get(id)).account).toMatchObject({ state, host: 'pds.example' });
  });

  test('without an account nothing goes out to the live network', async () => {
    const id = await insertUser(api.db);
    const publishing = async (needsAccount: boolean) =>
      (await createScheduleChecks(api.context.db, { needsAccount }).get(id)).publishing;
    expect(await publishing(false)).toEqual([]);
    expect(await publishing(true)).toMatchObject([{ word: 'reconnect' }]);
  });

  test('is refused for a user that is not there', async () => {
    const params = { id: '01890000-0000-7000-8000-000000000000' };
    expect(refusal(await api.call(scheduleCheckGet, { token, params }))).toEqual(
      catalogued('user_not_found'),
    );
  });
});
