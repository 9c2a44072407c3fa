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
import { NumberField, parseNumber } from '@meridian/ui/NumberField.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { Select, type SelectOption, Switch } from '@meridian/ui/choices.tsx';
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

/** Without a plan to grant there is nothing to issue. */
export function NoPlans() {
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

/** What stands in the fields: numbers as typed, the deadline in the browser's zone. */
export interface TicketValues {
  planId: string;
  validDays: string;
  maxRedemptions: string;
  redemptionDeadline: string;
  /** A date without a time, or the other way round, is no value at all to the browser. */
  isDeadlineIncomplete: boolean;
  memo: string;
  hasOverrides: boolean;
  /** Empty means the plan's own. */
  limitsOverride: Record<OverrideName, string>;
}

export const NEW_TICKET_VALUES: TicketValues = {
  planId: '',
  validDays: String(TICKET_DEFAULTS.validDays),
  maxRedemptions: String(TICKET_DEFAULTS.maxRedemptions),
  redemptionDeadline: '',
  isDeadlineIncomplete: false,
  memo: '',
  hasOverrides: false,
  limitsOverride: {
    monthly_posts_limit: '',
    concurrent_posts_limit: '',
    schedule_interval_minutes: '',
    max_post_length: '',
    max_schedule_days: '',
    thread_posts: '',
    thread_posts_limit: '',
  },
};

/** No number at all: the contract's own sentence says what is wanted instead. */
const numberIn = (text: string) => parseNumber(text) ?? Number.NaN;

function overrideIn(name: OverrideName, text: string): number | boolean {
  return name === 'thread_posts' ? text === 'true' : numberIn(text);
}

/** What can be overridden as the form stands: without threads they have no limit either. */
export function overridable({ limitsOverride }: TicketValues): readonly OverrideName[] {
  const hasThreads = limitsOverride.thread_posts !== 'false';
  return OVERRIDE_NAMES.filter((name) => hasThreads || name !== 'thread_posts_limit');
}

/** The overrides that were filled in, or nothing at all. */
function overridesIn(values: TicketValues) {
  const { hasOverrides, limitsOverride } = values;
  if (!hasOverrides) return undefined;
  const filled = overridable(values).filter((name) => limitsOverride[name].trim() !== '');
  if (filled.length === 0) return undefined;
  return Object.fromEntries(filled.map((name) => [name, overrideIn(name, limitsOverride[name])]));
}

/** Undefined for what is no time. */
export function deadlineOf(local: string): Date | undefined {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? undefined : date;
}

/** The body these fields mean: what was left empty is left out. */
export function ticketBody(values: TicketValues): BodyDraft<typeof ticketIssueBody> {
  return {
    planId: values.planId,
    validDays: numberIn(values.validDays),
    maxRedemptions: numberIn(values.maxRedemptions),
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

/** The overrides that are fit to be sent: what is not valid yet changes nothing yet. */
export function validOverrides(values: TicketValues): PlanLimits {
  const overrides: PlanLimits = {};
  for (const [name, value] of Object.entries(overridesIn(values) ?? {})) {
    const parsed = limitsOverrideInput.safeParse({ [name]: value });
    if (parsed.success) Object.assign(overrides, parsed.data);
  }
  return overrides;
}

/** Tickets grant active plans that cost something; hidden ones too, as that is what they are for. */
export function plansForTickets(plans: readonly Plan[]): Plan[] {
  return plansInOrder(plans.filter(({ isActive, tier }) => isActive && tier !== 'FREE'));
}
