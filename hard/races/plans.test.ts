import { currencyUpdate } from '@meridian/contract/currencies';
import {
  planCreate,
  planGet,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract/plans';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import { ENGINES, setUpApp } from '../../server/test/app.ts';
import {
  insertCurrency,
  planBody,
  planUpdate as updateBody,
} from '../../server/test/plan-fixtures.ts';
import { queueUp } from '../../server/test/queue-up.ts';
import { catalogued, refusal } from '../../server/test/refusal.ts';

const ROUNDS = 50;
const CHANGED = 'This plan was changed by someone else. Reload and try again.';

describe.each(ENGINES)('plans changed by several at once on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    await insertCurrency(test.db, 'usd');
  });

  const create = async (fields: Partial<PlanCreateBody> = {}): Promise<Plan> =>
    (await test.call(planCreate, { token, body: planBody(fields) })).answer.plan;
  const get = async (id: string): Promise<Plan> =>
    (await test.call(planGet, { token, params: { id } })).answer.plan;
  const update = (id: string, body: object, headers: Record<string, string> = {}) =>
    test.call(planUpdate, { token, params: { id }, body, headers });

  const price = (id: string, code: string) => () =>
    update(id, updateBody({ priceMonthly: { [code]: 1.25 } }));
  const shrink = (id: string) => () =>
    test.call(currencyUpdate, { token, params: { id }, body: { decimalPlaces: 0 } });

  it('lets one of two editors win and tells the other', async () => {
    let plan = await create();
    for (let round = 0; round < ROUNDS; round += 1) {
      const headers = { 'if-match': `"v${plan.version}"` };
      const { id, version } = plan;
      const answers = await Promise.all(
        ['left', 'right'].map((side) =>
          update(id, updateBody({ description: { en: `${side} ${round}` } }), headers),
        ),
      );
      const winner = answers.find(({ status }) => status === 200);
      const loser = answers.find(({ status }) => status !== 200);
      expect(loser && refusal(loser)).toEqual(catalogued('changed_elsewhere', CHANGED));
      plan = await get(id);
      expect(winner?.answer.plan).toEqual(plan);
      expect(plan.version).toBe(version + 1);
    }
  });

  it.each([
    ['visibility', planSetVisibility, { isVisible: false }],
    ['active', planSetActive, { isActive: false }],
  ] as const)('holds the %s switch to If-Match too', async (_, endpoint, body) => {
    const plan = await create();
    const params = { id: plan.id };
    const set = (tag: string) =>
      test.call(endpoint, { token, params, body, headers: { 'if-match': tag } });
    expect(refusal(await set('"v2"'))).toEqual(catalogued('changed_elsewhere', CHANGED));
    expect(refusal(await set('W/"v1"'))).toEqual(catalogued('changed_elsewhere', CHANGED));
    const huge = await set('"v9999999999999999"');
    expect(refusal(huge)).toEqual(catalogued('changed_elsewhere', CHANGED));
    expect(await get(plan.id)).toEqual(plan);
    expect((await set('"v9", "v1"')).answer.plan.version).toBe(2);
    expect((await set('*')).status).toBe(200);
  });

  it('refuses an update from an old version and takes one from any', async () => {
    const plan = await create();
    expect((await update(plan.id, updateBody(), { 'if-match': '"v1"' })).status).toBe(200);
    const late = await update(plan.id, updateBody(), { 'if-match': '"v1"' });
    expect(refusal(late)).toEqual(catalogued('changed_elsewhere', CHANGED));
    expect((await update(plan.id, updateBody(), { 'if-match': '*' })).status).toBe(200);
    expect((await update(plan.id, updateBody())).answer.plan.version).toBe(4);
  });

  it('loses neither of two switches turned at the same time', async () => {
    const { id } = await create();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const on = round % 2 === 0;
      const params = { id };
      const answers = await Promise.all([
        test.call(planSetActive, { token, params, body: { isActive: on } }),
        test.call(planSetVisibility, { token, params, body: { isVisible: on } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const plan = await get(id);
      expect(plan).toMatchObject({ isActive: on, isVisible: on, version: 1 + 2 * round });
    }
  });

  it('gives a name away once', async () => {
    const { name } = planBody();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.call(planCreate, { token, body: planBody({ name }) })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(19);
    for (const answer of refused) expect(refusal(answer)).toEqual(catalogued('plan_name_taken'));
  });

  describe('a price written while its currency loses decimals', () => {
    it('keeps the decimals when the price came first', async () => {
      const plan = await create();
      const id = await insertCurrency(test.db, 'eur');
      const calls = [price(plan.id, 'eur'), shrink(id)] as const;
      const [priced, shrunk] = await queueUp(test.db, currencyLock(id), calls);
      expect(priced.answer.plan.priceMonthly).toEqual({ eur: 1.25 });
      expect(refusal(shrunk)).toEqual(catalogued('currency_decimals_in_use'));
    });

    it('refuses the price when the decimals went first', async () => {
      const plan = await create();
      const id = await insertCurrency(test.db, 'gbp');
      const calls = [shrink(id), price(plan.id, 'gbp')] as const;
      const [shrunk, priced] = await queueUp(test.db, currencyLock(id), calls);
      expect(shrunk.answer.currency.decimalPlaces).toBe(0);
      const sentence = 'A price in GBP cannot have decimal places';
      expect(refusal(priced)).toEqual(catalogued('invalid_input', sentence));
      expect(await get(plan.id)).toEqual(plan);
    });
  });

  it('never deadlocks over prices in several currencies', async () => {
    for (const code of ['aaa', 'bbb', 'ccc']) await insertCurrency(test.db, code);
    const [one, two] = [await create(), await create()];
    const forwards = { aaa: 1, bbb: 1, ccc: 1 };
    const backwards = { ccc: 1, bbb: 1, aaa: 1 };
    const answers = await Promise.all(
      Array.from({ length: ROUNDS }, (_, at) =>
        update(
          at % 2 === 0 ? one.id : two.id,
          updateBody({ priceMonthly: at % 3 === 0 ? forwards : backwards }),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

function currencyLock(id: string): Sql {
  return sql`select from currencies where id = ${id} for update`;
}
