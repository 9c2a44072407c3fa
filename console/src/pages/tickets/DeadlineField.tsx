import { type SyntheticEvent, useState } from 'react';
import type { Form } from '../../components/form/use-form.ts';
import { formatUtc } from '../../ui/format-time.ts';
import { TextField } from '../../ui/TextField.tsx';
import { deadlineOf, type TicketValues } from './ticket-form.ts';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** With an end in sight the browser asks for a year of four digits. */
const LATEST = '2099-12-31T23:59';
const MINUTE_MS = 60_000;

/** '2026-11-14T21:00', as the browser's own field has it. */
function localText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, LATEST.length);
}

/** When the ticket can no longer be redeemed, typed in the browser's zone. */
export function DeadlineField({ form }: { form: Form<TicketValues> }) {
  const [earliest] = useState(() => localText(new Date()));
  const deadline = deadlineOf(form.values.redemptionDeadline);

  // Half a date has the value of none; only the field itself knows the difference.
  function noteCompleteness({ currentTarget }: SyntheticEvent<HTMLInputElement>) {
    form.set('isDeadlineIncomplete', currentTarget.validity.badInput);
  }

  return (
    <TextField
      type="datetime-local"
      label="Redemption deadline"
      className="sm:col-span-2"
      hint={
        deadline === undefined
          ? `Optional. In your time zone, ${ZONE}.`
          : `In your time zone, ${ZONE}; that is ${formatUtc(deadline)}.`
      }
      min={earliest}
      max={LATEST}
      {...form.text('redemptionDeadline')}
      onInput={noteCompleteness}
      onKeyUp={noteCompleteness}
      onBlur={noteCompleteness}
    />
  );
}
