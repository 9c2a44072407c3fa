import type { Plan, PlanCreateBody, PlanUpdateBody } from '@meridian/contract/plans';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { lockCurrencies } from '../currencies/currencies.store.ts';
import { planContent } from './plan-content.ts';
import { priceCodes, requireGoodPrices } from './plan-prices.ts';
import type { ExpectedVersions } from './plan-version.ts';
import * as store from './plans.store.ts';

export type PlansService = ReturnType<typeof createPlansService>;

export function createPlansService(db: Database) {
  async function setFlag(
    set: typeof store.setActive,
    id: string,
    value: boolean,
    expected: ExpectedVersions,
  ): Promise<Plan> {
    if (!isUuid(id)) throw new AppError('plan_not_found');
    // The row stays locked until the plan is read: the answer is this change, not a later one.
    return db.transaction(async (tx) => {
      const changed = await set(tx, id, value, expected);
      const plan = await requirePlan(tx, id);
      if (changed === 0) throw new AppError('changed_elsewhere');
      return plan;
    });
  }

  return {
    list: (filter: store.PlanFilter): Promise<Plan[]> => store.listPlans(db, filter),

    get: (id: string): Promise<Plan> => requirePlan(db, id),

    create({ tier, ...body }: PlanCreateBody): Promise<Plan> {
      const id = uuidV7();
      const content = planContent(body);
      return withUniqueName(() =>
        db.transaction(async (tx) => {
          const currencies = await lockCurrencies(tx, priceCodes(content));
          requireGoodPrices(content, currencies, null);
          await store.insertPlan(tx, id, tier, content);
          await store.insertPrices(tx, id, content);
          return requirePlan(tx, id);
        }),
      );
    },

    /** Replaces everything but the tier; what is left out of limits, texts and prices is gone. */
    update(id: string, body: PlanUpdateBody, expected: ExpectedVersions): Promise<Plan> {
      const content = planContent(body);
      return withUniqueName(() =>
        db.transaction(async (tx) => {
          const currencies = await lockCurrencies(tx, priceCodes(content));
          const stored = await lockedPlan(tx, id);
          if (expected?.includes(stored.version) === false) throw new AppError('changed_elsewhere');
          requireGoodPrices(content, currencies, stored);
          await store.updatePlan(tx, id, content);
          await store.deletePrices(tx, id);
          await store.insertPrices(tx, id, content);
          return requirePlan(tx, id);
        }),
      );
    },

    setActive: (id: string, isActive: boolean, expected: ExpectedVersions): Promise<Plan> =>
      setFlag(store.setActive, id, isActive, expected),

    setVisible: (id: string, isVisible: boolean, expected: ExpectedVersions): Promise<Plan> =>
      setFlag(store.setVisible, id, isVisible, expected),
  };
}

async function requirePlan(db: Db, id: string): Promise<Plan> {
  const plan = isUuid(id) ? await store.findPlan(db, id) : null;
  if (plan === null) throw new AppError('plan_not_found');
  return plan;
}

async function lockedPlan(tx: Db, id: string): Promise<Plan> {
  if (isUuid(id)) await store.lockPlan(tx, id);
  return requirePlan(tx, id);
}

async function withUniqueName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isViolation(error, 'plans_name_key')) throw new AppError('plan_name_taken');
    throw error;
  }
}
