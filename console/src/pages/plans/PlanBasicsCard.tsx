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
  /** A select for a new plan, read-only for an existing one. */
  tier: ReactNode;
}

export function PlanBasicsCard({ form, tier }: PlanBasicsCardProps) {
  return (
    <Card aria-labelledby="plan-basics">
      <CardHeader title="Plan" titleId="plan-basics" />
      <CardBody className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2">
        {tier}
        <TextField
          label="Name"
          hint="Internal. Only administrators see it."
          autoComplete="off"
          required
          {...form.text('name')}
        />
        <NumberField
          label="Display order"
          hint="Lower numbers come first."
          min={0}
          {...form.number('displayOrder')}
        />
        <div className="flex flex-col gap-4 @xl:col-span-2">
          <Switch
            label="Active"
            description="Inactive plans aren't published, and new tickets can't grant them."
            {...form.flag('isActive')}
          />
          <Switch
            label="Visible"
            description="Hidden plans aren't published, but tickets can grant them."
            {...form.flag('isVisible')}
          />
        </div>
      </CardBody>
    </Card>
  );
}
