import { UNLIMITED } from '@meridian/contract/fields';
import { PLAN_LIMIT_LABELS, PLAN_LIMIT_RANGES } from '@meridian/contract/plan-limits';
import type { Form } from '../../components/form/use-form.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import type { NumberLimit, PlanValues } from './plan-values.ts';

interface PlanLimitFieldProps {
  form: Form<PlanValues>;
  name: NumberLimit;
  hint?: string;
}

/** A number within the contract's range, under the contract's name. */
export function PlanLimitField({ form, name, hint }: PlanLimitFieldProps) {
  const { min, max } = PLAN_LIMIT_RANGES[name];
  const unit = name.endsWith('_mb') ? ' (MB)' : '';
  return (
    <NumberField
      label={`${PLAN_LIMIT_LABELS[name]}${unit}`}
      hint={hint ?? (min === UNLIMITED ? `${UNLIMITED} means unlimited.` : undefined)}
      min={min}
      max={max}
      {...form.number(`limits.${name}`)}
    />
  );
}
