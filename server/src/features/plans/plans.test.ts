import {
  planCreate,
  planGet,
  planList,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract/plans';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertCurrency, planBody, planUpdate as updateBody } from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';

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

    it('turns a paid plan into a free one', async () => {
      const { id } = await create({ priceMonthly: { usd: 5 }, priceYearly: { usd: 50 } });
      const { plan } = (await update(id, updateBody())).answer;
      expect(plan).toMatchObject({ priceMonthly: null, priceYearly: null, isPaid: false });
    });

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
