import type { Plan } from '@meridian/contract/plans';
import {
  TICKET_MESSAGES,
  ticketIssue,
  ticketIssueBody,
  ticketList,
} from '@meridian/contract/tickets';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { FormShell } from '../../components/form/FormShell.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { EffectiveLimits } from './EffectiveLimits.tsx';
import { OverrideFields } from './OverrideFields.tsx';
import { deadlineIssues, NEW_TICKET_VALUES, ticketBody, validOverrides } from './ticket-form.ts';
import { TicketFields } from './TicketFields.tsx';

interface TicketIssueFormProps {
  /** Undefined until they are there: everything else can be filled in meanwhile. */
  plans: readonly Plan[] | undefined;
  isLoading: boolean;
}

export function TicketIssueForm({ plans, isLoading }: TicketIssueFormProps) {
  const issue = useEndpointMutation(ticketIssue, { invalidates: [ticketList] });
  const form = useForm({
    defaults: NEW_TICKET_VALUES,
    keepsDraft: true,
    schema: ticketIssueBody,
    toBody: ticketBody,
    ownIssues: (values) => deadlineIssues(values, new Date()),
    submit: async (body) => {
      const { id, code } = (await issue.mutateAsync({ body })).ticket;
      return { message: TICKET_MESSAGES.issued(code), to: paths.ticket(id) };
    },
    failed: TICKET_MESSAGES.issueFailed,
  });
  const plan = plans?.find(({ id }) => id === form.values.planId);
  return (
    <FormShell
      {...form.shell}
      submitLabel="Issue Ticket"
      busyLabel="Issuing..."
      cancelTo={paths.tickets}
      // The preview stands beside everything; the last row takes what it is longer.
      className="max-w-none! @3xl:grid @3xl:grid-cols-[minmax(0,1fr)_21rem] @3xl:grid-rows-[auto_auto_1fr] @3xl:items-start"
    >
      <div className="flex min-w-0 flex-col gap-4">
        <TicketFields form={form} plans={plans} isLoading={isLoading} />
        <OverrideFields form={form} plan={plan} />
      </div>
      <EffectiveLimits plan={plan} overrides={validOverrides(form.values)} />
    </FormShell>
  );
}
