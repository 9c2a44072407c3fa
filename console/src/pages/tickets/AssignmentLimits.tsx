import type { Assignment } from '@meridian/contract/assignments';
import { limitLabel, limitText } from '../../components/limit-text.ts';
import { limitsInForce } from '../../components/limits-in-force.ts';
import { overridesText } from './ticket-limits.ts';

/** What one user has that the plan alone would not give; folded, as all of a ticket are alike. */
export function AssignmentLimits({ assignment }: { assignment: Assignment }) {
  const overridden = limitsInForce(assignment.plan.limits, assignment.limitsOverride).filter(
    ({ isOverridden }) => isOverridden,
  );
  if (overridden.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="-my-1 rounded-sm py-1 text-accent-text">
        {overridesText(overridden.length)}
      </summary>
      <dl className="mt-1 flex flex-col gap-1 text-xs">
        {overridden.map(({ name, ofPlan, effective }) => (
          <div key={name}>
            <dt className="text-muted">{limitLabel(name)}</dt>
            <dd className="tabular-nums">
              <span className="font-semibold">{limitText(name, effective)}</span>{' '}
              <span className="text-muted">Plan: {limitText(name, ofPlan)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
