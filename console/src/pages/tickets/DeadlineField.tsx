import { type SyntheticEvent, useState } from 'react';
import type { Form } from '../../components/form/use-form.ts';
import { formatUtc } from '../../ui/format-time.ts';
import { LATEST_LOCAL_TIME, localTimeText, TIME_ZONE } from '../../ui/local-time-text.ts';
import { TextField } from '../../ui/TextField.tsx';
import { deadlineOf, type TicketValues } from './ticket-form.ts';

/** When the ticket can no longer be redeemed, typed in the browser's zone. */
export function DeadlineField({ form }: { form: Form<TicketValues> }) {
  const [earliest] = useState(() => localTimeText(new Date()));
  const deadline = deadlineOf(form.values.redemptionDeadline);

  // Half a date has the value of none; only the field itself knows the difference.
  function noteCompleteness({ currentTarget }: SyntheticEvent<HTMLInputElement>) {
    form.set('isDeadlineIncomplete', currentTarget.validity.badInput);
  }

  return (
    <TextField
      type="datetime-local"
      label="Redemption deadline"
      className="@xl:col-span-2"
      hint={
        deadline === undefined
          ? `Optional. In your time zone, ${TIME_ZONE}.`
          : `In your time zone, ${TIME_ZONE}; that is ${formatUtc(deadline)}.`
      }
      min={earliest}
      max={LATEST_LOCAL_TIME}
      {...form.text('redemptionDeadline')}
      onInput={noteCompleteness}
      onKeyUp={noteCompleteness}
      onBlur={noteCompleteness}
    />
  );
}
