import { UNLIMITED } from '@meridian/contract/fields';
import { PLAN_LIMIT_LABELS, PLAN_LIMIT_RANGES } from '@meridian/contract/plan-limits';
import type { Form } from '../../components/form/use-form.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { PlanCountField } from './PlanCountField.tsx';
import type { NumberLimit, PlanValues } from './plan-values.ts';

interface PlanLimitFieldProps {
  form: Form<PlanValues>;
  name: NumberLimit;
  hint?: string;
  placeholder?: string;
}

/** A number within the contract's range, under the contract's name. */
export function PlanLimitField({ form, name, hint, placeholder }: PlanLimitFieldProps) {
  const { min, max } = PLAN_LIMIT_RANGES[name];
  const unit = name.endsWith('_mb') ? ' (MB)' : '';
  const props = {
    label: `${PLAN_LIMIT_LABELS[name]}${unit}`,
    hint,
    placeholder,
    min,
    max,
    ...form.number(`limits.${name}`),
  };
  return min === UNLIMITED ? <PlanCountField {...props} /> : <NumberField {...props} />;
}
