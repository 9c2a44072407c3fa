import type { ReactNode } from 'react';
import type { Form } from '../../components/form/use-form.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { PlanValues } from './plan-values.ts';

interface PlanBasicsCardProps {
  form: Form<PlanValues>;
  /** To be chosen for a new plan, only shown for one there is. */
  tier: ReactNode;
}

export function PlanBasicsCard({ form, tier }: PlanBasicsCardProps) {
  return (
    <Card aria-labelledby="plan-basics">
      <CardHeader title="Plan" titleId="plan-basics" />
      <CardBody className="grid items-start gap-x-4 gap-y-5 sm:grid-cols-2">
        {tier}
        <TextField
          label="Name"
          hint="Internal: only administrators see it."
          autoComplete="off"
          required
          {...form.text('name')}
        />
        <NumberField
          label="Display order"
          hint="Lower comes first."
          min={0}
          {...form.number('displayOrder')}
        />
        <div className="flex flex-col gap-4 sm:col-span-2">
          <Switch
            label="Active"
            description="An inactive plan is not published, and no new ticket can grant it."
            {...form.flag('isActive')}
          />
          <Switch
            label="Visible"
            description="A hidden plan is not published either, but tickets can grant it."
            {...form.flag('isVisible')}
          />
        </div>
      </CardBody>
    </Card>
  );
}
