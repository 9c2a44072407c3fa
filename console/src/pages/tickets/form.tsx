import { Layers } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { englishOr, UNLIMITED } from '@meridian/contract/fields';
import {
  PLAN_LIMIT_LABELS,
  type PlanLimits,
  SCHEDULE_INTERVALS,
} from '@meridian/contract/plan-limits';
import { type Plan, PLAN_MESSAGES, planList } from '@meridian/contract/plans';
import {
  limitsOverrideInput,
  OVERRIDE_NAMES,
  OVERRIDE_RANGES,
  type OverrideName,
  TICKET_DEFAULTS,
  TICKET_MESSAGES,
  TICKET_RANGES,
  ticketIssue,
  ticketIssueBody,
  ticketList,
} from '@meridian/contract/tickets';
import type { Issue } from '@meridian/contract/validation';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { NumberField, numberOf } from '@meridian/ui/NumberField.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { Select, Switch } from '@meridian/ui/choices.tsx';
import { LoadError } from '@meridian/ui/failures.tsx';
import { TextArea, TextField } from '@meridian/ui/fields.tsx';
import { FormShell } from '@meridian/ui/form/FormShell.tsx';
import type { BodyDraft } from '@meridian/ui/form/issues.ts';
import { type Form, useForm } from '@meridian/ui/form/use-form.ts';
import { formatUtc, LATEST_LOCAL_TIME, localTimeText, TIME_ZONE } from '@meridian/ui/format.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import { EmptyState } from '@meridian/ui/placeholders.tsx';
import { ALL_PLANS, plansInOrder } from '../../components/catalogue.ts';
import { limitText } from '../../components/limits.tsx';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';
import { EffectiveLimits } from './limits.tsx';

export function loader(): void {
  prefetch(planList, ALL_PLANS);
}

export function Component() {
  const query = useEndpointQuery(planList, ALL_PLANS);
  const { data, isFetching } = query;
  const plans = data && plansForTickets(data.plans);
  const hasPlans = plans !== undefined && plans.length > 0;
  // Another administrator may deactivate the last plan: what was typed stays.
  const [hadPlans, setHadPlans] = useState(hasPlans);
  if (hasPlans && !hadPlans) setHadPlans(true);
  return (
    <>
      <PageTitle
        title="Issue New Ticket"
        context="Create a coupon code that grants a plan when it is redeemed"
        back={<BackLink to={paths.tickets}>Back to Tickets</BackLink>}
      />
      <LoadError className="mb-4" query={query} failed={PLAN_MESSAGES.listFailed} />
      {plans?.length === 0 && !hadPlans ? (
        <NoPlans />
      ) : (
        <TicketIssueForm plans={plans} isLoading={isFetching} />
      )}
    </>
  );
}

interface TicketIssueFormProps {
  /** While they load, everything else can be filled in. */
  plans: readonly Plan[] | undefined;
  isLoading: boolean;
}

function TicketIssueForm({ plans, isLoading }: TicketIssueFormProps) {
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
      // The preview spans all rows; the last one grows with it.
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

function TicketFields({ form, plans, isLoading }: TicketIssueFormProps & FormProps) {
  const placeholder = isLoading ? 'Loading plans...' : 'The plans could not be loaded';
  return (
    <Card aria-labelledby="ticket-basics">
      <CardHeader title="Ticket" titleId="ticket-basics" />
      <CardBody className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2">
        <Select
          label="Plan"
          required
          className="@xl:col-span-2"
          placeholder={plans === undefined ? placeholder : 'Choose a plan…'}
          disabled={plans === undefined}
          options={(plans ?? []).map(({ id, displayName, name, tier, isVisible }) => ({
            value: id,
            label: englishOr(displayName, name) || id,
            detail: isVisible ? tier : `${tier} · Hidden`,
          }))}
          {...form.choice('planId')}
          value={form.values.planId || null}
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

function DeadlineField({ form }: FormProps) {
  const [earliest] = useState(() => localTimeText(new Date()));
  const deadline = deadlineOf(form.values.redemptionDeadline);

  // A half-typed date has an empty value; only the validity of the field tells it from none.
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

function OverrideFields({ form, plan }: FormProps & { plan: Plan | undefined }) {
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

interface OverrideFieldProps extends FormProps {
  plan: Plan | undefined;
  name: OverrideName;
}

function OverrideField({ form, plan, name }: OverrideFieldProps) {
  const label = PLAN_LIMIT_LABELS[name];
  const ofPlan =
    plan === undefined ? 'Plan default' : `Plan default: ${limitText(name, plan.limits[name])}`;
  const choices = CHOICES[name];
  if (choices !== undefined) {
    const options = choices.map((one) => ({ value: String(one), label: limitText(name, one) }));
    return (
      <Select
        label={label}
        options={[{ value: '', label: ofPlan }, ...options]}
        {...form.choice(`limitsOverride.${name}`)}
      />
    );
  }
  const range = Object.entries(OVERRIDE_RANGES).find(([key]) => key === name)?.[1];
  const unlimited = range?.min === UNLIMITED ? `; ${UNLIMITED} means unlimited` : '';
  return (
    <NumberField
      label={label}
      placeholder={ofPlan}
      hint={range && `${range.min} to ${range.max}${unlimited}.`}
      {...range}
      {...form.number(`limitsOverride.${name}`)}
    />
  );
}

const CHOICES: Partial<Record<OverrideName, readonly (number | boolean)[]>> = {
  schedule_interval_minutes: SCHEDULE_INTERVALS,
  thread_posts: [true, false],
};

function NoPlans() {
  return (
    <Card as="div">
      <EmptyState
        icon={<Layers aria-hidden="true" />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <LinkButton to={paths.planCreate} variant="primary">
              Create New Plan
            </LinkButton>
            <LinkButton to={paths.plans}>Go to Plans</LinkButton>
          </div>
        }
      >
        There is no active paid plan to issue a ticket for. Create a plan, or activate an existing
        one.
      </EmptyState>
    </Card>
  );
}

export type TicketValues = typeof NEW_TICKET_VALUES;

interface FormProps {
  form: Form<TicketValues>;
}

/** The fields hold numbers as typed, and the deadline in the browser's zone. */
export const NEW_TICKET_VALUES = {
  planId: '',
  validDays: String(TICKET_DEFAULTS.validDays),
  maxRedemptions: String(TICKET_DEFAULTS.maxRedemptions),
  redemptionDeadline: '',
  // The browser gives a date without a time no value.
  isDeadlineIncomplete: false as boolean, // It changes.
  memo: '',
  hasOverrides: false as boolean, // As above.
  limitsOverride: Object.fromEntries(OVERRIDE_NAMES.map((name) => [name, ''])) as Record<
    OverrideName,
    string
  >, // It forgets the names.
};

/** Without threads there is no limit of their posts to override. */
function overridable({ limitsOverride }: TicketValues): readonly OverrideName[] {
  const hasThreads = limitsOverride.thread_posts !== 'false';
  return OVERRIDE_NAMES.filter((name) => hasThreads || name !== 'thread_posts_limit');
}

function overridesIn(values: TicketValues) {
  const filled = overridable(values).flatMap((name) => {
    const text = values.limitsOverride[name];
    if (text.trim() === '') return [];
    return [[name, name === 'thread_posts' ? text === 'true' : numberOf(text)]];
  });
  return values.hasOverrides && filled.length > 0 ? Object.fromEntries(filled) : undefined;
}

function deadlineOf(local: string): Date | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export function ticketBody(values: TicketValues): BodyDraft<typeof ticketIssueBody> {
  return {
    planId: values.planId,
    validDays: numberOf(values.validDays),
    maxRedemptions: numberOf(values.maxRedemptions),
    redemptionDeadline:
      values.redemptionDeadline === ''
        ? undefined
        : (deadlineOf(values.redemptionDeadline)?.toISOString() ?? values.redemptionDeadline),
    memo: values.memo.trim() === '' ? undefined : values.memo,
    limitsOverride: overridesIn(values),
  };
}

export function deadlineIssues(values: TicketValues, now: Date): Issue[] {
  const path = 'redemptionDeadline';
  if (values.isDeadlineIncomplete) {
    return [{ path, message: 'Redemption deadline needs both a date and a time' }];
  }
  const deadline = deadlineOf(values.redemptionDeadline);
  if (deadline === undefined || deadline > now) return [];
  return [{ path, message: TICKET_MESSAGES.deadlinePassed }];
}

/** The preview ignores overrides that are not valid yet. */
export function validOverrides(values: TicketValues): PlanLimits {
  const overrides: PlanLimits = {};
  for (const [name, value] of Object.entries(overridesIn(values) ?? {})) {
    const parsed = limitsOverrideInput.safeParse({ [name]: value });
    if (parsed.success) Object.assign(overrides, parsed.data);
  }
  return overrides;
}

/** Tickets grant active plans that cost something, hidden ones included. */
export function plansForTickets(plans: readonly Plan[]): Plan[] {
  return plansInOrder(plans.filter(({ isActive, tier }) => isActive && tier !== 'FREE'));
}
