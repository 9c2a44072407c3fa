import type { Plan, PlanCreateBody, PlanUpdateBody } from '@meridian/contract/plans';
import type { Author } from '../../audit/author.ts';
import { record } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Database, Db } from '../../db/database.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { once } from '../../idempotency/once.ts';
import type { RequestKey } from '../../idempotency/request-key.ts';
import { lockCurrencies } from '../currencies/currencies.store.ts';
import { planRefusal } from './active-price.ts';
import { isUnchanged, planContent } from './plan-content.ts';
import { currencyCodes, requireGoodPrices } from './plan-prices.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import * as store from './plans.store.ts';

export function createPlansService(db: Database) {
  /** The row stays locked until the plan is read: the response is this change, not a later one. */
  async function changeFlag(
    id: string,
    change: store.PlanFlag,
    expected: ExpectedVersions,
    audit: AuditContext,
  ): Promise<Plan> {
    return db.transaction(async (tx) => {
      const { name } = await lockedPlan(tx, id);
      const plan = await withPlanRefusal(name, () =>
        store.setFlag(tx, id, change, expected, audit),
      );
      if (plan === null) throw new AppError('changed_elsewhere');
      return plan;
    });
  }

  return {
    list: (filter: store.PlanFilter): Promise<Plan[]> => store.listPlans(db, filter),

    get: (id: string): Promise<Plan> => requirePlan(db, id),

    create(
      by: Author,
      { tier, ...body }: PlanCreateBody,
      key: RequestKey | null = null,
    ): Promise<Plan> {
      const id = uuidV7();
      const content = planContent(body);
      return withPlanRefusal(content.name, () =>
        once(db, key, async (tx) => {
          const currencies = await lockCurrencies(tx, currencyCodes(content));
          requireGoodPrices(tier, content, currencies);
          await store.insertPlan(tx, id, tier, content);
          await store.insertPrices(tx, id, content);
          const plan = await requirePlan(tx, id);
          const change = { id, before: null, after: recordedPlan(plan) };
          await record(tx, { by, action: 'planCreate' }, change);
          return plan;
        }),
      );
    },

    /**
     * Replaces everything but the tier; what is left out of limits, texts and prices is gone. The
     * old prices go before the plan changes and the new ones come after it: the database checks each.
     */
    update(by: Author, id: string, body: PlanUpdateBody, expected: ExpectedVersions) {
      const content = planContent(body);
      return withPlanRefusal(content.name, () =>
        db.transaction(async (tx) => {
          const currencies = await lockCurrencies(tx, currencyCodes(content));
          const stored = await lockedPlan(tx, id);
          if (expected?.includes(stored.version) === false) throw new AppError('changed_elsewhere');
          requireGoodPrices(stored.tier, content, currencies);
          if (isUnchanged(stored, content)) return stored;
          await store.deletePrices(tx, id);
          await store.updatePlan(tx, id, content);
          await store.insertPrices(tx, id, content);
          const plan = await requirePlan(tx, id);
          const change = { id, before: recordedPlan(stored), after: recordedPlan(plan) };
          await record(tx, { by, action: 'planUpdate' }, change);
          return plan;
        }),
      );
    },

    setActive: (by: Author, id: string, isOn: boolean, expected: ExpectedVersions) =>
      changeFlag(id, { flag: 'isActive', isOn }, expected, { by, action: 'planSetActive' }),

    setVisible: (by: Author, id: string, isOn: boolean, expected: ExpectedVersions) =>
      changeFlag(id, { flag: 'isVisible', isOn }, expected, { by, action: 'planSetVisibility' }),
  };
}

/** What the entry says itself, or follows from the rest. */
const UNRECORDED = new Set(['id', 'isPaid', 'createdAt', 'updatedAt']);

function recordedPlan(plan: Plan): object {
  return Object.fromEntries(Object.entries(plan).filter(([name]) => !UNRECORDED.has(name)));
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

async function withPlanRefusal<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw planRefusal(error, name);
  }
}
