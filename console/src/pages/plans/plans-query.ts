import type { Plan } from '@meridian/contract/plans';
import { plansInOrder } from '../../components/display-order.ts';
import { oneOf } from '../../components/list/list-params.ts';
import type { FilterTab } from '../../ui/FilterTabs.tsx';

const TABS = ['all', 'active', 'inactive', 'visible', 'hidden'] as const;
export type PlanTab = (typeof TABS)[number];

/** What the address of the plans list can say. */
export const PLANS_PARAMS = { tab: oneOf(TABS, 'all') };

const LABELS: Record<PlanTab, string> = {
  all: 'All',
  active: 'Active',
  inactive: 'Inactive',
  visible: 'Visible',
  hidden: 'Hidden',
};

const BELONGS: Record<PlanTab, (plan: Plan) => boolean> = {
  all: () => true,
  active: (plan) => plan.isActive,
  inactive: (plan) => !plan.isActive,
  visible: (plan) => plan.isVisible,
  hidden: (plan) => !plan.isVisible,
};

export function plansOf(tab: PlanTab, plans: readonly Plan[]): Plan[] {
  return plansInOrder(plans.filter(BELONGS[tab]));
}

export function planTabs(plans: readonly Plan[]): FilterTab<PlanTab>[] {
  return TABS.map((value) => ({
    value,
    label: LABELS[value],
    count: plansOf(value, plans).length,
  }));
}
