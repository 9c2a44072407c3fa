import { currencyDeactivate, currencyUpdate } from '@meridian/contract/currencies';
import {
  planCreate,
  planGet,
  planList,
  planPublish,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract/plans';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import { insertCurrency, planBody, planUpdate as updateBody } from '../../../test/plan-fixtures.ts';
import { queueUp } from '../../../test/queue-up.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';

describe.each(EITHER)('plans on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    await insertCurrency(test.db, 'usd');
    await insertCurrency(test.db, 'jpy', { useDecimals: false });
  });

  const create = async (fields: Partial<PlanCreateBody> = {}): Promise<Plan> =>
    (await test.call(planCreate, { token, body: planBody(fields) })).answer.plan;
  const get = async (id: string): Promise<Plan> =>
    (await test.call(planGet, { token, params: { id } })).answer.plan;
  const update = (id: string, body: object, headers: Record<string, string> = {}) =>
    test.call(planUpdate, { token, params: { id }, body, headers });

  describe('create', () => {
    // Proves 3.7
    it('answers the plan as it was sent, with what follows from it', async () => {
      const body = planBody({
        tier: 'PREMIUM',
        priceMonthly: { usd: 9.99, jpy: 1500 },
        priceYearly: { usd: 99.9 },
      });
      const { status, headers, answer } = await test.call(planCreate, { token, body });
      expect(status).toBe(201);
      expect(headers['etag']).toBe('"v1"');
      expect(answer.plan).toMatchObject({ ...body, isPaid: true, version: 1 });
      expect(await get(answer.plan.id)).toEqual(answer.plan);
    });

    // Proves 3.11
    it('fills what may be left out', async () => {
      const { tier, name, displayName, description } = planBody();
      const required = { tier, name, displayName, description, limits: {} };
      const body = { ...required, priceMonthly: null, priceYearly: null };
      const { answer } = await test.call(planCreate, { token, body });
      expect(answer.plan).toMatchObject({
        currency: 'usd',
        limits: {},
        features: {},
        displayOrder: 0,
        isActive: true,
        isVisible: true,
        isPaid: false,
      });
    });

    // Proves 5.8, 5.9
    it('drops empty texts, blank lines and a video of 0 megabytes', async () => {
      const plan = await create({
        displayName: { en: ' Basic ', ja: '  ', de: 'Basis' },
        description: { en: 'For a start', fr: '' },
        features: { en: ['One', '  ', '', ' Two '], ko: ['', ' '], de: [] },
        limits: { max_video_size_mb: 0, video_processing_minutes_per_month: 0 },
      });
      expect(plan.displayName).toEqual({ en: 'Basic', de: 'Basis' });
      expect(plan.description).toEqual({ en: 'For a start' });
      expect(plan.features).toEqual({ en: ['One', 'Two'] });
      expect(plan.limits).toEqual({
        max_video_size_mb: null,
        video_processing_minutes_per_month: 0,
      });
    });

    it('keeps a name for one plan', async () => {
      const { name } = await create();
      const { status, error } = await test.call(planCreate, { token, body: planBody({ name }) });
      expect([status, error.code]).toEqual([409, 'plan_name_taken']);
      expect(error.message).toBe('A plan with this name already exists');
    });
  });

  describe('list', () => {
    it('shows active and visible plans, or more, by display order and id', async () => {
      const twins = [await create({ displayOrder: 3 }), await create({ displayOrder: 3 })];
      const same = twins.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const before = await create({ displayOrder: 2 });
      const inactive = await create({ displayOrder: 4, isActive: false });
      const hidden = await create({ displayOrder: 5, isVisible: false });
      const neither = await create({ displayOrder: 6, isActive: false, isVisible: false });
      const ours = new Set([...same, before, inactive, hidden, neither].map(({ id }) => id));
      const list = async (query: { includeInactive?: boolean; includeInvisible?: boolean }) => {
        const { answer } = await test.call(planList, { token, query });
        return answer.plans.filter(({ id }) => ours.has(id));
      };

      expect(await list({})).toEqual([before, ...same]);
      expect(await list({ includeInactive: true })).toEqual([before, ...same, inactive]);
      expect(await list({ includeInvisible: true })).toEqual([before, ...same, hidden]);
      const everything = await list({ includeInactive: true, includeInvisible: true });
      expect(everything).toEqual([before, ...same, inactive, hidden, neither]);
    });

    it('refuses a filter that is neither true nor false', async () => {
      const { status, error } = await test.call(planList, {
        token,
        query: { includeInvisible: 'maybe' },
      });
      expect([status, error.message]).toEqual([400, 'includeInvisible must be true or false']);
    });
  });

  describe('update', () => {
    it('replaces everything but tier and id, and raises the version', async () => {
      const neighbour = await create({ priceMonthly: { usd: 5 } });
      const before = await create({ tier: 'ENTERPRISE', priceMonthly: { usd: 5, jpy: 700 } });
      const body = updateBody({
        displayName: { en: 'Other' },
        priceMonthly: { usd: 6.5 },
        priceYearly: {},
        limits: { storage_mb: -1 },
        features: {},
        displayOrder: 0,
        isActive: false,
        isVisible: false,
      });
      const { status, headers, answer } = await update(before.id, body);
      expect(status).toBe(200);
      expect(headers['etag']).toBe('"v2"');
      const { plan } = answer;
      expect(plan).toEqual({
        ...body,
        priceYearly: null,
        id: before.id,
        tier: 'ENTERPRISE',
        isPaid: true,
        version: 2,
        createdAt: before.createdAt,
        updatedAt: plan.updatedAt,
      });
      expect(plan.updatedAt >= before.updatedAt).toBe(true);
      expect(await get(before.id)).toEqual(plan);
      expect(await get(neighbour.id)).toEqual(neighbour);
    });

    // Proves 3.9, 3.12
    it('turns a paid plan into a free one', async () => {
      const { id } = await create({ priceMonthly: { usd: 5 }, priceYearly: { usd: 50 } });
      const { plan } = (await update(id, updateBody())).answer;
      expect(plan).toMatchObject({ priceMonthly: null, priceYearly: null, isPaid: false });
    });

    // Proves 3.8
    it('takes no tier', async () => {
      const plan = await create();
      const { status, error } = await update(plan.id, { ...updateBody(), tier: 'FREE' });
      expect([status, error.message]).toEqual([400, 'Unknown field: tier']);
      expect(await get(plan.id)).toEqual(plan);
    });

    it('refuses the name of another plan and changes nothing', async () => {
      const other = await create();
      const plan = await create({ priceMonthly: { usd: 5 } });
      const { status, error } = await update(plan.id, updateBody({ name: other.name }));
      expect([status, error.code]).toEqual([409, 'plan_name_taken']);
      expect(await get(plan.id)).toEqual(plan);
      expect((await update(plan.id, updateBody({ name: plan.name }))).status).toBe(200);
    });
  });

  describe.each([
    ['visibility', planSetVisibility, 'isVisible', 'isActive'],
    ['active', planSetActive, 'isActive', 'isVisible'],
  ] as const)('%s', (_, endpoint, flag, otherFlag) => {
    const set = (id: string, value: unknown, headers: Record<string, string> = {}) =>
      test.call(endpoint, { token, params: { id }, body: { [flag]: value }, headers });

    // Proves 4.27
    it('sets this flag only, and raises the version when it changes', async () => {
      const neighbour = await create();
      const before = await create({ priceMonthly: { usd: 5 }, [otherFlag]: false });
      const off = await set(before.id, false);
      expect([off.status, off.headers['etag']]).toEqual([200, '"v2"']);
      const { plan } = off.answer;
      expect(plan).toEqual({ ...before, [flag]: false, version: 2, updatedAt: plan.updatedAt });
      const again = await set(before.id, false);
      expect(again.answer).toEqual(off.answer);
      expect((await set(before.id, true)).answer.plan).toMatchObject({ [flag]: true, version: 3 });
      expect(await get(neighbour.id)).toEqual(neighbour);
    });

    it.each([[{}], [{ [flag]: 'true' }], [{ [flag]: null }]])('refuses %j', async (body) => {
      const { id } = await create();
      const { status, error } = await test.call(endpoint, { token, params: { id }, body });
      expect([status, error.message]).toEqual([400, `${flag} must be true or false`]);
    });
  });

  describe.each([
    ['get', planGet, undefined],
    ['update', planUpdate, updateBody()],
    ['visibility', planSetVisibility, { isVisible: true }],
    ['active', planSetActive, { isActive: true }],
  ] as const)('%s of nothing', (_, endpoint, body) => {
    it.each([uuidV7(), 'basic', "1' or '1'='1"])('answers 404 for %s', async (id) => {
      const answer = await test.call(endpoint, {
        token,
        params: { id },
        headers: { 'if-match': '"v1"' },
        ...(body !== undefined && { body }),
      });
      expect(refusal(answer)).toEqual(catalogued('plan_not_found', 'Plan not found'));
    });
  });
});

const INT_MAX = 2_147_483_647;
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
    [{ features: 'many' }, 'features is not valid'],
    [{ currency: 'xxx' }, 'There is no currency XXX'],
    [{ tier: 'FREE', priceMonthly: { usd: 1 } }, 'A FREE plan has no prices'],
    [{ tier: 'FREE', priceYearly: { usd: 1 } }, 'A FREE plan has no prices'],
    [{ name: 'x'.repeat(101) }, 'Name must be at most 100 characters'],
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

  // Proves 3.14
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

  // Proves 3.9
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

const unpriced = (name: string) =>
  catalogued(
    'plan_price_inactive',
    `These plans have no monthly price in an active currency: ${name}. Add a price or activate a currency first`,
  );
const inUse = (names: string) =>
  catalogued(
    'currency_in_use',
    `These active plans are priced only in this currency: ${names}. Add another price or deactivate them first`,
  );

describe.each(EITHER)('an active paid plan has a price in an active currency on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    await insertCurrency(test.db, 'old', { isActive: false });
  });

  const create = async (fields: Partial<PlanCreateBody>): Promise<Plan> =>
    (await test.call(planCreate, { token, body: planBody(fields) })).answer.plan;
  const read = async ({ id }: Plan) =>
    (await test.call(planGet, { token, params: { id } })).answer.plan;
  const setActive = (id: string, isActive: boolean) =>
    test.call(planSetActive, { token, params: { id }, body: { isActive } });
  const deactivate = (id: string) => test.call(currencyDeactivate, { token, params: { id } });
  const patchInactive = (id: string) =>
    test.call(currencyUpdate, { token, params: { id }, body: { isActive: false } });

  it('when it is created', async () => {
    const body = planBody({ priceMonthly: { old: 5 } });
    const answer = await test.call(planCreate, { token, body });
    expect(refusal(answer)).toEqual(unpriced(body.name));
    expect(answer.error.issues).toEqual([
      { path: 'priceMonthly', message: unpriced(body.name).message },
    ]);
  });

  it('when it is updated', async () => {
    const plan = await create({ priceMonthly: { usd: 5 } });
    const body = updateBody({ name: plan.name, priceMonthly: { old: 5 } });
    const answer = await test.call(planUpdate, { token, params: { id: plan.id }, body });
    expect(refusal(answer)).toEqual(unpriced(plan.name));
    expect(await read(plan)).toEqual(plan);
  });

  it.each([
    ['deleted', 'aaa', deactivate],
    ['patched', 'bbb', patchInactive],
  ] as const)('when a currency is %s, and then when it is activated', async (_, code, turnOff) => {
    const currency = await insertCurrency(test.db, code);
    const [one, two] = [
      await create({ priceMonthly: { [code]: 5 }, displayOrder: 1 }),
      await create({ priceMonthly: { [code]: 5 }, priceYearly: { usd: 9 }, displayOrder: 2 }),
    ];
    // Neither of these needs it.
    await create({ priceMonthly: { [code]: 5, usd: 1 } });
    await create({ priceMonthly: { [code]: 5 }, isActive: false });
    expect(refusal(await turnOff(currency))).toEqual(inUse(`${one.name}, ${two.name}`));
    await setActive(one.id, false);
    expect(refusal(await turnOff(currency))).toEqual(inUse(two.name));
    await setActive(two.id, false);
    expect((await turnOff(currency)).answer.currency.isActive).toBe(false);

    expect(refusal(await setActive(one.id, true))).toEqual(unpriced(one.name));
    expect((await read(one)).isActive).toBe(false);
    const body = updateBody({ name: one.name, priceMonthly: { [code]: 5, usd: 3 } });
    const repaired = await test.call(planUpdate, { token, params: { id: one.id }, body });
    expect(repaired.answer.plan).toMatchObject({ isActive: true, priceMonthly: { usd: 3 } });
  });

  it('when the plans are published, and otherwise nothing is', async () => {
    const plan = await create({ priceMonthly: { usd: 5 } });
    // As a version before this rule left it.
    await test.db.execute(sql`
      update plan_prices set currency_code = 'old' where plan_id = ${plan.id}`);
    expect(refusal(await test.call(planPublish, { token }))).toEqual(unpriced(plan.name));
    const params = { id: plan.id };
    await test.call(planSetVisibility, { token, params, body: { isVisible: false } });
    expect((await test.call(planPublish, { token })).status).toBe(200);
  });

  it('when its last two currencies are deactivated at the same moment', async () => {
    const [one, two] = [await insertCurrency(test.db, 'ccc'), await insertCurrency(test.db, 'ddd')];
    const plan = await create({ priceMonthly: { ccc: 1, ddd: 1 } });
    const both = sql`select from currencies where code in ('ccc', 'ddd') for update`;
    const calls = [() => deactivate(one), () => patchInactive(two)] as const;
    const answers = await queueUp(test.db, both, calls);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(refusal)).toEqual([inUse(plan.name)]);
  });

  it('when it is activated at the moment its currency is deactivated', async () => {
    const currency = await insertCurrency(test.db, 'eee');
    const lock = sql`select from currencies where id = ${currency} for update`;
    const plan = await create({ priceMonthly: { eee: 1 }, isActive: false });
    const [activated, refused] = await queueUp(test.db, lock, [
      () => setActive(plan.id, true),
      () => deactivate(currency),
    ]);
    expect([activated.status, refusal(refused)]).toEqual([200, inUse(plan.name)]);

    await setActive(plan.id, false);
    const [deactivated, late] = await queueUp(test.db, lock, [
      () => deactivate(currency),
      () => setActive(plan.id, true),
    ]);
    expect([deactivated.status, refusal(late)]).toEqual([200, unpriced(plan.name)]);
  });
});

describe.each(EITHER)('an update that changes nothing on %s', (engine) => {
  it('keeps the version of a plan and writes no entry', async () => {
    const test = await startTestApp(engine);
    const { token } = await test.signIn();
    const body = planBody({ priceMonthly: { usd: 5.5 }, priceYearly: { usd: 50 } });
    const { plan } = (await test.call(planCreate, { token, body })).answer;
    const entries = async () =>
      test.db.one(sql`select count(*) as n from audit_log where entity = 'plan'`);
    const before = await entries();
    const { tier: _, ...same } = body;
    const params = { id: plan.id };
    const again = await test.call(planUpdate, { token, params, body: same });
    expect(again.answer.plan).toEqual(plan);
    expect(await entries()).toEqual(before);
    await test.close();
  });
});
