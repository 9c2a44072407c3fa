import type { Plan, PlanCreateBody, PlanUpdateBody } from '@meridian/contract/plans';
import type { Author } from '../../audit/author.ts';
import { record } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { once } from '../../idempotency/once.ts';
import type { RequestKey } from '../../idempotency/request-key.ts';
import { lockCurrencies } from '../currencies/currencies.store.ts';
import {
  currencyCodes,
  isUnchanged,
  planContent,
  requireActivePrice,
  requireGoodPrices,
} from './plan-rules.ts';
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
      const stored = await lockedPlan(tx, id);
      if (expected?.includes(stored.version) === false) throw new AppError('changed_elsewhere');
      if (change.flag === 'isActive') {
        if (change.isOn && !stored.isActive) {
          const { name, currency, priceMonthly, priceYearly } = stored;
          const priced = { name, currency, priceMonthly, priceYearly };
          requireActivePrice(priced, await lockCurrencies(tx, currencyCodes(priced)));
        }
        await store.releaseQuota(tx);
      }
      return store.setFlag(tx, id, change, audit);
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
      return withNameRefusal(() =>
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

    /** Replaces everything but the tier; what is left out of limits, texts and prices is gone. */
    update(by: Author, id: string, body: PlanUpdateBody, expected: ExpectedVersions) {
      const content = planContent(body);
      return withNameRefusal(() =>
        db.transaction(async (tx) => {
          const currencies = await lockCurrencies(tx, currencyCodes(content));
          const stored = await lockedPlan(tx, id);
          if (expected?.includes(stored.version) === false) throw new AppError('changed_elsewhere');
          requireGoodPrices(stored.tier, content, currencies);
          if (isUnchanged(stored, content)) return stored;
          await store.deletePrices(tx, id);
          await store.updatePlan(tx, id, content);
          await store.insertPrices(tx, id, content);
          await store.releaseQuota(tx);
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

/** Fields that the entry has itself, or that follow from the rest. */
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

async function withNameRefusal<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isViolation(error, 'plans_name_key') ? new AppError('plan_name_taken') : error;
  }
}
