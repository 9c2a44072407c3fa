import { planCreate, planGet, planUpdate } from '@meridian/contract/plans';
import type { PlanCreateBody } from '@meridian/contract/plans';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertCurrency, planBody, planUpdate as updateBody } from '../../../test/plan-fixtures.ts';
import { sql } from '../../db/sql.ts';

const INT_MAX = 2_147_483_647;
const ENGLISH = 'English display name and description are required';
const NO_PRICE = 'A paid plan needs a monthly price in at least one active currency';

describe.each(EITHER)('the rules of plans on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    await insertCurrency(test.db, 'usd');
    await insertCurrency(test.db, 'jpy', { useDecimals: false, decimalPlaces: 2 });
    await insertCurrency(test.db, 'kwd', { decimalPlaces: 4 });
    await insertCurrency(test.db, 'cur', { decimalPlaces: 1 });
    await insertCurrency(test.db, 'old', { isActive: false });
  });

  const create = (body: object) => test.call(planCreate, { token, body });
  const accepted = async (fields: Partial<PlanCreateBody>) =>
    (await create(planBody(fields))).answer.plan;
  const countPlans = async () =>
    (await test.db.one<{ n: number }>(sql`select count(*) as n from plans`)).n;

  it.each([
    [{ tier: undefined }, 'Tier and name are required'],
    [{ tier: 'GOLD' }, 'Tier must be one of FREE, BASIC, PREMIUM, ENTERPRISE'],
    [{ tier: null }, 'Tier and name are required'],
    [{ tier: ' ' }, 'Tier and name are required'],
    [{ displayName: { en: null } }, ENGLISH],
    [{ displayName: { en: 'Basic', ja: null } }, 'Display name must be text'],
    [{ features: 'many' }, 'features is not valid'],
    [{ currency: 'xxx' }, 'There is no currency XXX'],
    [{ tier: 'FREE', priceMonthly: { usd: 1 } }, 'A FREE plan has no prices'],
    [{ tier: 'FREE', priceYearly: { usd: 1 } }, 'A FREE plan has no prices'],
    [{ name: undefined }, 'Tier and name are required'],
    [{ name: '  ' }, 'Tier and name are required'],
    [{ name: 'x'.repeat(101) }, 'Name must be at most 100 characters'],
    [{ displayName: undefined }, ENGLISH],
    [{ displayName: {} }, ENGLISH],
    [{ displayName: { en: ' ', ja: 'ベーシック' } }, ENGLISH],
    [{ description: undefined }, ENGLISH],
    [{ description: { en: '' } }, ENGLISH],
    [{ description: { en: null } }, ENGLISH],
    [{ displayOrder: -1 }, 'Display order must be a whole number of at least 0'],
    [{ displayOrder: INT_MAX + 1 }, 'Display order must be at most 2147483647'],
    [{ displayOrder: 1e20 }, 'Display order must be at most 2147483647'],
    [{ currency: 'dollar' }, 'Currency must be three lower-case letters'],
    [{ isActive: 1 }, 'isActive must be true or false'],
    [{ isVisible: null }, 'isVisible must be true or false'],
    [{ color: 'red' }, 'Unknown field: color'],
  ])('refuses %j', async (fields, message) => {
    const before = await countPlans();
    const { status, error } = await create({ ...planBody(), ...fields });
    expect([status, error.code, error.message]).toEqual([400, 'invalid_input', message]);
    expect(await countPlans()).toBe(before);
  });

  it.each([
    [{ name: undefined }, 'Name is required'],
    [{ name: '' }, 'Name is required'],
    [{ name: null }, 'Name is required'],
    [{ displayName: { en: null } }, ENGLISH],
    [{ displayName: { de: 'Basis' } }, ENGLISH],
    [{ description: { en: '  ' } }, ENGLISH],
  ])('refuses %j in an update', async (fields, message) => {
    const plan = await accepted({});
    const params = { id: plan.id };
    const body = { ...updateBody(), ...fields };
    const { status, error } = await test.call(planUpdate, { token, params, body });
    expect([status, error.message]).toEqual([400, message]);
    const { answer } = await test.call(planGet, { token, params });
    expect(answer.plan).toEqual(plan);
  });

  it.each(Object.keys(updateBody()))('refuses an update without %s and names it', async (name) => {
    const plan = await accepted({ priceMonthly: { usd: 5 }, isVisible: false, displayOrder: 5 });
    const params = { id: plan.id };
    const { [name]: _, ...body } = Object.fromEntries(Object.entries(updateBody()));
    const { status, error } = await test.call(planUpdate, { token, params, body });
    expect(status).toBe(400);
    expect(error.issues?.map(({ path }) => path.split('.')[0])).toEqual([name]);
    expect((await test.call(planGet, { token, params })).answer.plan).toEqual(plan);
  });

  it('keeps a FREE plan without prices', async () => {
    const plan = await accepted({ tier: 'FREE' });
    const body = updateBody({ name: plan.name, priceMonthly: { usd: 1 } });
    const { status, error } = await test.call(planUpdate, { token, params: { id: plan.id }, body });
    expect([status, error.message]).toEqual([400, 'A FREE plan has no prices']);
  });

  it('asks for what is missing before what is malformed', async () => {
    const { error } = await create({ ...planBody({ displayOrder: -1 }), name: '' });
    expect(error.message).toBe('Tier and name are required');
    expect(error.issues?.map(({ path }) => path).toSorted()).toEqual(['displayOrder', 'name']);
  });

  it.each([
    ['monthly_posts_limit', -1, INT_MAX],
    ['pending_posts_limit', -1, INT_MAX],
    ['concurrent_posts_limit', -1, INT_MAX],
    ['storage_mb', -1, INT_MAX],
    ['api_rate_limit_per_hour', -1, INT_MAX],
    ['data_retention_days', -1, INT_MAX],
    ['max_schedule_days', 1, INT_MAX],
    ['thread_posts_limit', 1, 24],
    ['max_images_per_post', 0, 4],
    ['max_image_size_mb', 1, INT_MAX],
    ['max_video_size_mb', 0, INT_MAX],
    ['video_processing_minutes_per_month', 0, INT_MAX],
    ['max_post_length', 1, 1000],
  ])('keeps %s from %i to %i', async (name, min, max) => {
    for (const value of [min, max]) {
      const { limits } = await accepted({ limits: { [name]: value } });
      expect(limits[name]).toBe(name === 'max_video_size_mb' && value === 0 ? null : value);
    }
    for (const value of [min - 1, max + 1, min + 0.5, String(min), true]) {
      const { status, error } = await create({ ...planBody(), limits: { [name]: value } });
      expect(status).toBe(400);
      expect(error.issues?.[0]?.path).toBe(`limits.${name}`);
    }
  });

  it('keeps the interval to 1, 5, 10 or 15 minutes', async () => {
    for (const minutes of [1, 5, 10, 15] as const) {
      const { limits } = await accepted({ limits: { schedule_interval_minutes: minutes } });
      expect(limits['schedule_interval_minutes']).toBe(minutes);
    }
    for (const minutes of [0, 2, 14, 16, 30, '5']) {
      const limits = { schedule_interval_minutes: minutes };
      const { status, error } = await create({ ...planBody(), limits });
      expect([status, error.message]).toEqual([
        400,
        'Schedule interval must be one of 1, 5, 10, 15',
      ]);
    }
  });

  it('takes switches as true or false, and no limit it does not know', async () => {
    const switches = { markdown_support: true, thread_posts: false, video_upload_enabled: true };
    expect((await accepted({ limits: switches })).limits).toEqual(switches);
    const wrong = await create({ ...planBody(), limits: { thread_posts: 1 } });
    expect([wrong.status, wrong.error.message]).toEqual([
      400,
      'Thread posts must be true or false',
    ]);
    const unknown = await create({ ...planBody(), limits: { coffee_limit: 1 } });
    expect([unknown.status, unknown.error.message]).toEqual([400, 'Unknown field: coffee_limit']);
  });

  it.each([
    [{ priceMonthly: {} }, 'priceMonthly', NO_PRICE],
    [{ priceMonthly: null, priceYearly: { usd: 5 } }, 'priceMonthly', NO_PRICE],
    [{ priceMonthly: { xxx: 5 } }, 'priceMonthly.xxx', 'There is no currency XXX'],
    [
      { priceMonthly: { usd: 5 }, priceYearly: { xxx: 5 } },
      'priceYearly.xxx',
      'There is no currency XXX',
    ],
    [
      { priceMonthly: { usd: 9.999 } },
      'priceMonthly.usd',
      'A price in USD can have at most 2 decimal places',
    ],
    [
      { priceMonthly: { jpy: 9.5 } },
      'priceMonthly.jpy',
      'A price in JPY cannot have decimal places',
    ],
    [
      { priceMonthly: { usd: 5 }, priceYearly: { cur: 0.25 } },
      'priceYearly.cur',
      'A price in CUR can have at most 1 decimal place',
    ],
    [
      { priceMonthly: { kwd: 0.00001 } },
      'priceMonthly.kwd',
      'A price must be a number from 0 with at most 4 decimal places',
    ],
    [
      { priceMonthly: { usd: -0.01 } },
      'priceMonthly.usd',
      'A price must be a number from 0 with at most 4 decimal places',
    ],
    [
      { priceMonthly: { usd: 100_000_000 } },
      'priceMonthly.usd',
      'A price must be at most 99999999',
    ],
  ])('refuses the prices %j', async (prices, path, message) => {
    const before = await countPlans();
    const { status, error } = await create({ ...planBody(), ...prices });
    expect([status, error.code, error.message]).toEqual([400, 'invalid_input', message]);
    expect(error.issues?.[0]).toEqual({ path, message });
    expect(await countPlans()).toBe(before);
  });

  it('stores prices exactly', async () => {
    const monthly = { usd: 0.1, jpy: 99_999_999, kwd: 12_345_678.1234, old: 0 };
    const plan = await accepted({ priceMonthly: monthly, priceYearly: {} });
    expect(plan).toMatchObject({ priceMonthly: monthly, priceYearly: null, isPaid: true });
    const rows = await test.db.many<{ currency_code: string; amount: string }>(sql`
      select currency_code, trim_scale(amount) as amount from plan_prices
      where plan_id = ${plan.id} order by currency_code`);
    expect(rows).toEqual([
      { currency_code: 'jpy', amount: '99999999' },
      { currency_code: 'kwd', amount: '12345678.1234' },
      { currency_code: 'old', amount: '0' },
      { currency_code: 'usd', amount: '0.1' },
    ]);
  });
});
