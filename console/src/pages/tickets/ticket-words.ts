import type { Assignment } from '@meridian/contract/assignments';
import { englishOr } from '@meridian/contract/fields';
import type { ListedTicket } from '@meridian/contract/tickets';

/** The English name of the plan, or its plain one, or its id. */
export function planNameOf({ plan, planId }: Pick<ListedTicket, 'plan' | 'planId'>): string {
  return englishOr(plan.displayName, plan.name) || planId;
}

/** '1 / 5', or '1 / ∞' without a maximum. */
export function usageOf({
  redemptionCount,
  maxRedemptions,
}: Pick<ListedTicket, 'redemptionCount' | 'maxRedemptions'>): string {
  return `${redemptionCount} / ${maxRedemptions ?? '∞'}`;
}

/** '30 days' */
export function daysText(days: number): string {
  return `${days} days`;
}

/** The user of an assignment, in the fields of a user. */
export function holderOf({ user }: Assignment) {
  return { ...user, display_name: user.displayName };
}
