import type { Endpoint } from '@meridian/contract/endpoint';
import {
  planCreate,
  planGet,
  planList,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract/plans';
import type { PlanCreateBody } from '@meridian/contract/plans';
import { isRecord } from '@meridian/contract/response-shape';
import { badBody, idOf, rowsOf } from './probe.ts';
import type { Probe, Row } from './probe.ts';
import { createStored, expectListed } from './stored.ts';
import { checkTickets } from './ticket-writes.ts';

const ALL = { includeInactive: 'true', includeInvisible: 'true' };

export function newPlan(suffix: string): PlanCreateBody {
  return {
    tier: 'BASIC',
    name: `check-upstream-${suffix}`,
    displayName: { en: 'Check', de: 'Prüfung' },
    description: { en: 'Made by check-upstream' },
    priceMonthly: null,
    priceYearly: null,
    currency: 'usd',
    limits: { monthly_posts_limit: -1, max_post_length: 200, thread_posts: false },
    features: { en: ['One', 'Two'] },
    displayOrder: 999,
    isActive: false,
    isVisible: false,
  };
}

export function changedPlan(plan: PlanCreateBody) {
  const { tier: _, ...rest } = plan;
  return { ...rest, description: { en: 'Changed by check-upstream' }, displayOrder: 998 };
}

/** Makes one plan and a ticket for it; leaves the plan inactive and hidden, the ticket revoked. */
export async function checkPlansAndTickets(probe: Probe): Promise<void> {
  const made = newPlan(crypto.randomUUID());
  const refuse = (body: object, why: string) => probe.isRefused(planCreate, { body }, badBody(why));
  await refuse({ ...made, name: '' }, 'a plan without a name');
  await refuse({ ...made, displayName: {} }, 'a plan without an English display name');
  await refuse({ ...made, limits: { max_post_length: 1001 } }, 'a post length of 1001');

  const created = (await probe.succeeds(planCreate, { body: made }))?.['plan'];
  const id = isRecord(created) ? idOf(created) : await idByName(probe, made.name);
  if (id === null) {
    probe.differs(planCreate, 'the plan is not in the list after it was made');
    return;
  }
  const params = { id };
  const expectStored = createStored(probe, { get: planGet, name: 'plan', id });
  async function change(endpoint: Endpoint, body: Row): Promise<void> {
    await probe.succeeds(endpoint, { params, body });
    await expectStored(endpoint, body);
  }
  await expectStored(planCreate, made);
  await expectListed(
    probe,
    { list: planList, name: 'plans', id, query: ALL },
    'an inactive, hidden plan is not in the list with ?includeInactive=true&includeInvisible=true: it could not be activated again',
  );
  await change(planUpdate, changedPlan(made));
  const unnamed = { ...changedPlan(made), name: '' };
  await probe.isRefused(planUpdate, { params, body: unnamed }, badBody('a plan without a name'));
  await expectStored(planUpdate, {});
  await change(planSetVisibility, { isVisible: true });
  await change(planSetVisibility, { isVisible: false });
  await change(planSetActive, { isActive: true });
  await checkTickets(probe, id);
  await change(planSetActive, { isActive: false });
  probe.report.add(
    'notes',
    planCreate,
    `the plan ${made.name} was made and is left inactive and hidden`,
  );
}

async function idByName(probe: Probe, name: string): Promise<string | null> {
  const plans = rowsOf(await probe.succeeds(planList, { query: ALL }), 'plans');
  return idOf(plans.find((plan) => plan['name'] === name));
}
