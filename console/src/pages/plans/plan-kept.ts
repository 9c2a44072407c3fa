import { LANGUAGES } from '@meridian/contract/fields';
import { PLAN_LIMIT_LABELS } from '@meridian/contract/plan-limits';
import type { Plan, PlanUpdateBody } from '@meridian/contract/plans';

function beyond<T>(source: Readonly<Record<string, T>>, known: readonly string[]) {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !known.includes(key)));
}

/** Off or not available, of a plan that never had this limit: the field was not touched. */
function withoutUntouched(limits: PlanUpdateBody['limits'], plan: Plan) {
  return Object.fromEntries(
    Object.entries(limits).filter(
      ([name, value]) => name in plan.limits || (value !== false && value !== null),
    ),
  );
}

/**
 * Saving replaces the whole plan, so limits and languages without a field of this form go back as they
 * came, and limits that the plan never had are not added.
 */
export function withUnshown(body: PlanUpdateBody, plan: Plan): PlanUpdateBody {
  return {
    ...body,
    displayName: { ...beyond(plan.displayName, LANGUAGES), ...body.displayName },
    description: { ...beyond(plan.description, LANGUAGES), ...body.description },
    features: { ...beyond(plan.features, LANGUAGES), ...body.features },
    limits: {
      ...beyond(plan.limits, Object.keys(PLAN_LIMIT_LABELS)),
      ...withoutUntouched(body.limits, plan),
    },
  };
}
