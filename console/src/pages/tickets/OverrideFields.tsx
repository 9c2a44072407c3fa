import { UNLIMITED } from '@meridian/contract/fields';
import { PLAN_LIMIT_LABELS, SCHEDULE_INTERVALS } from '@meridian/contract/plan-limits';
import type { Plan } from '@meridian/contract/plans';
import { OVERRIDE_RANGES, type OverrideName } from '@meridian/contract/tickets';
import type { Form } from '../../components/form/use-form.ts';
import { limitText } from '../../components/limit-text.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select, type SelectOption } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { overridable, type TicketValues } from './ticket-form.ts';

interface OverrideFieldProps {
  form: Form<TicketValues>;
  plan: Plan | undefined;
}

/** Limits that are chosen from a few; the others are numbers within a range. */
const CHOICES: Readonly<Partial<Record<OverrideName, readonly SelectOption<string>[]>>> = {
  schedule_interval_minutes: SCHEDULE_INTERVALS.map((minutes) => ({
    value: String(minutes),
    label: limitText('schedule_interval_minutes', minutes),
  })),
  thread_posts: [true, false].map((value) => ({
    value: String(value),
    label: limitText('thread_posts', value),
  })),
};

/** What a ticket may change about the plan it grants. */
export function OverrideFields({ form, plan }: OverrideFieldProps) {
  return (
    <Card as="div">
      <CardBody>
        <Switch
          label="Override plan limits"
          description="Empty fields use the plan's value."
          {...form.flag('hasOverrides')}
        />
        {form.values.hasOverrides && (
          <div className="mt-5 grid items-start gap-x-4 gap-y-5 border-t border-border pt-5 @xl:grid-cols-2">
            {overridable(form.values).map((name) => (
              <OverrideField key={name} form={form} plan={plan} name={name} />
            ))}
          </div>
        )}
      </CardBody>
    </Card>
  );
}

function OverrideField({ form, plan, name }: OverrideFieldProps & { name: OverrideName }) {
  const label = PLAN_LIMIT_LABELS[name];
  const ofPlan =
    plan === undefined ? 'Plan default' : `Plan default: ${limitText(name, plan.limits[name])}`;
  const options = CHOICES[name];
  if (options !== undefined) {
    return (
      <Select
        label={label}
        options={[{ value: '', label: ofPlan }, ...options]}
        {...form.choice(`limitsOverride.${name}`)}
      />
    );
  }
  const range = Object.entries(OVERRIDE_RANGES).find(([key]) => key === name)?.[1];
  return (
    <NumberField
      label={label}
      placeholder={ofPlan}
      hint={range && rangeText(range)}
      {...range}
      {...form.number(`limitsOverride.${name}`)}
    />
  );
}

function rangeText({ min, max }: { min: number; max: number }): string {
  return min === UNLIMITED
    ? `${UNLIMITED} to ${max}; ${UNLIMITED} means unlimited.`
    : `${min} to ${max}.`;
}
