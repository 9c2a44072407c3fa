import { englishOr } from '@meridian/contract/fields';
import type { Plan } from '@meridian/contract/plans';
import { TICKET_RANGES } from '@meridian/contract/tickets';
import type { Form } from '../../components/form/use-form.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { DeadlineField } from './DeadlineField.tsx';
import type { TicketValues } from './ticket-form.ts';

interface TicketFieldsProps {
  form: Form<TicketValues>;
  plans: readonly Plan[] | undefined;
  isLoading: boolean;
}

function placeholderOf(plans: readonly Plan[] | undefined, isLoading: boolean): string {
  if (plans !== undefined) return 'Choose a plan…';
  return isLoading ? 'Loading plans...' : 'The plans could not be loaded';
}

function optionOf({ id, displayName, name, tier, isVisible }: Plan) {
  return {
    value: id,
    label: englishOr(displayName, name) || id,
    detail: isVisible ? tier : `${tier} · Hidden`,
  };
}

export function TicketFields({ form, plans, isLoading }: TicketFieldsProps) {
  return (
    <Card aria-labelledby="ticket-basics">
      <CardHeader title="Ticket" titleId="ticket-basics" />
      <CardBody className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2">
        <Select
          label="Plan"
          required
          className="@xl:col-span-2"
          placeholder={placeholderOf(plans, isLoading)}
          disabled={plans === undefined}
          options={plans?.map(optionOf) ?? []}
          {...form.choice('planId')}
          value={form.values.planId === '' ? null : form.values.planId}
        />
        <NumberField
          label="Valid days"
          required
          hint="Counted from the day the ticket is redeemed."
          {...TICKET_RANGES.validDays}
          {...form.number('validDays')}
        />
        <NumberField
          label="Max redemptions"
          required
          hint="How many people can redeem it."
          {...TICKET_RANGES.maxRedemptions}
          {...form.number('maxRedemptions')}
        />
        <DeadlineField form={form} />
        <TextArea
          label="Memo"
          hint="Optional. Visible to administrators only."
          className="@xl:col-span-2"
          {...form.text('memo')}
        />
      </CardBody>
    </Card>
  );
}
