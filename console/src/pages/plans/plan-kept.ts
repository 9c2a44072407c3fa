import { LANGUAGES } from '@meridian/contract/languages';
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
 * Another server may know more limits and languages than this form has fields for. Saving replaces
 * the whole plan, so what has no field goes back as it came, and what it never had is not added.
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
