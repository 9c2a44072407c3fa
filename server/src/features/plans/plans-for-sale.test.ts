import { currencyDeactivate, currencyUpdate } from '@meridian/contract/currencies';
import {
  planCreate,
  planGet,
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
import { sql } from '../../db/sql.ts';

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
