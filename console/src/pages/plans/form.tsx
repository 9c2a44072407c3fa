import { type ReactNode, useSyncExternalStore } from 'react';
import { Link, useParams } from 'react-router';
import { currencyList } from '@meridian/contract/currencies';
import { englishOr } from '@meridian/contract/fields';
import {
  type Plan,
  PLAN_MESSAGES,
  PLAN_TIERS,
  planCreate,
  planCreateBody,
  planGet,
  planList,
  planUpdate,
  planUpdateBody,
} from '@meridian/contract/plans';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { messageOf } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { type LoaderArgs, prefetch, readNow, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { Select } from '@meridian/ui/choices.tsx';
import { cx } from '@meridian/ui/classes.ts';
import { TextField } from '@meridian/ui/fields.tsx';
import { FormShell } from '@meridian/ui/form/FormShell.tsx';
import { type Edit, EditFrame, ifMatch, useEditForm } from '@meridian/ui/form/conflict.tsx';
import { type Form, useForm } from '@meridian/ui/form/use-form.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import {
  EmptyState,
  FieldSkeleton,
  LoadingNote,
  Skeleton,
  SwitchSkeleton,
} from '@meridian/ui/placeholders.tsx';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { TierBadge } from '../../components/badges.tsx';
import { ALL_CURRENCIES } from '../../components/catalogue.ts';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';
import { PlanBasicsCard, PlanLimitsCard, PlanTextsCard } from './fields.tsx';
import { type CurrenciesForPrices, PlanPricingCard, useCurrencies } from './prices.tsx';
import {
  newPlanValues,
  PLAN_LABELS,
  planCreateInput,
  planLabel,
  planUpdateInput,
  type PlanValues,
  priceIssues,
  valuesOfPlan,
  withUnshown,
} from './values.ts';

export const create = {
  Component: PlanCreatePage,
  loader: () => prefetch(currencyList, ALL_CURRENCIES),
};

export const edit = {
  Component: PlanEditPage,
  loader: ({ id }: LoaderArgs) => {
    prefetch(planGet, { params: { id } });
    prefetch(currencyList, ALL_CURRENCIES);
  },
};

function PlanCreatePage() {
  const currencies = useCurrencies();
  return (
    <>
      <PageTitle
        title="Create New Plan"
        context="New plans go live the next time you publish."
        back={<BackLink to={paths.plans}>Back to Plans</BackLink>}
      />
      {currencies.isSettled ? <PlanCreateForm currencies={currencies} /> : <PlanFormSkeleton />}
    </>
  );
}

function PlanCreateForm({ currencies }: { currencies: CurrenciesForPrices }) {
  const create = useEndpointMutation(planCreate, { invalidates: [planList] });
  const form = useForm({
    ...formRules(currencies),
    defaults: newPlanValues(currencies.active),
    keepsDraft: true,
    schema: planCreateBody,
    toBody: planCreateInput,
    submit: async (body) => {
      await create.mutateAsync({ body });
      return { message: PLAN_MESSAGES.created(body.name), to: paths.plans };
    },
    failed: PLAN_MESSAGES.createFailed,
  });
  return <PlanForm form={form} currencies={currencies} />;
}

function PlanEditPage() {
  const { planId = '' } = useParams();
  const query = useEndpointQuery(planGet, { params: { id: planId } });
  const currencies = useCurrencies();
  const plan = query.data?.plan;
  const name = englishOr(plan?.displayName, plan?.name ?? '');
  return (
    <>
      <PageTitle
        tabTitle={plan && `Edit Plan: ${name}`}
        title={
          plan === undefined ? (
            'Edit Plan'
          ) : (
            <span className="inline-flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span>
                Edit Plan: <SafeText>{name}</SafeText>
              </span>
              <TierBadge tier={plan.tier} />
            </span>
          )
        }
        context="Changes go live the next time you publish."
        back={<BackLink to={paths.plans}>Back to Plans</BackLink>}
      />
      {/* The key starts everything anew on the way from one plan to another. */}
      <EditFrame<Plan, PlanValues>
        key={planId}
        query={query}
        entity={plan}
        isReady={currencies.isSettled}
        skeleton={<PlanFormSkeleton />}
        missing={
          <EmptyState action={<LinkButton to={paths.plans}>Back to Plans</LinkButton>}>
            {messageOf(query.error, PLAN_MESSAGES.loadFailed)}
          </EmptyState>
        }
        failed={PLAN_MESSAGES.loadFailed}
      >
        {(edit) => (
          <>
            <PlanEditForm key={edit.start.entity.version} edit={edit} currencies={currencies} />
            <div className="mt-4">
              <HistoryCard entity="plan" entityId={planId} />
            </div>
          </>
        )}
      </EditFrame>
    </>
  );
}

interface PlanEditFormProps {
  edit: Edit<Plan, PlanValues>;
  currencies: CurrenciesForPrices;
}

function PlanEditForm({ edit, currencies }: PlanEditFormProps) {
  const plan = edit.start.entity;
  const params = { id: plan.id };
  const update = useEndpointMutation(planUpdate, { invalidates: [planList, planGet] });
  const { form, conflict } = useEditForm({
    ...formRules(currencies),
    edit,
    noun: 'plan',
    valuesOf: (one) => valuesOfPlan(one, currencies.all),
    readLatest: async () => (await readNow(planGet, { params })).plan,
    schema: planUpdateBody,
    toBody: planUpdateInput,
    send: (body) =>
      update.mutateAsync({ params, headers: ifMatch(plan), body: withUnshown(body, plan) }),
    saved: ({ name }) => ({ message: PLAN_MESSAGES.updated(name), to: paths.plans }),
    failed: PLAN_MESSAGES.updateFailed,
  });
  return (
    <PlanForm form={form} currencies={currencies} plan={plan}>
      {conflict}
    </PlanForm>
  );
}

const formRules = (currencies: CurrenciesForPrices) => ({
  ownIssues: (values: PlanValues) => priceIssues(values, currencies),
  labelOf: planLabel,
  fieldOfCode: { plan_name_taken: 'name' } as const,
});

interface PlanFormProps {
  form: Form<PlanValues>;
  currencies: CurrenciesForPrices;
  plan?: Plan | undefined;
  children?: ReactNode;
}

function PlanForm({ form, currencies, plan, children }: PlanFormProps) {
  const isNew = plan === undefined;
  const { tier: label } = PLAN_LABELS;
  const tier = isNew ? (
    <Select
      label={label}
      hint="Tier can't be changed later."
      required
      options={PLAN_TIERS.map((value) => ({ value, label: value }))}
      {...form.choice('tier')}
      value={form.values.tier || null}
    />
  ) : (
    <TextField label={label} hint="Tier can't be changed." readOnly value={plan.tier} />
  );
  return (
    <PlanFormLayout>
      <FormShell
        {...form.shell}
        submitLabel={isNew ? 'Create Plan' : 'Update Plan'}
        busyLabel={isNew ? 'Creating...' : 'Updating...'}
        cancelTo={paths.plans}
        isLong
      >
        <PlanBasicsCard form={form} tier={tier} />
        <PlanTextsCard form={form} />
        <PlanPricingCard form={form} currencies={currencies} plan={plan} />
        <PlanLimitsCard form={form} />
        {children}
      </FormShell>
    </PlanFormLayout>
  );
}

/** Puts links to the sections beside the form where there is room. */
function PlanFormLayout({ children }: { children: ReactNode }) {
  const current = useSyncExternalStore(subscribe, sectionInSight);
  return (
    <div className="xl:@4xl:grid xl:@4xl:grid-cols-[minmax(0,48rem)_minmax(0,1fr)] xl:@4xl:gap-10">
      <div className="min-w-0">{children}</div>
      <nav aria-label="Sections of the form" className="hidden xl:@4xl:block">
        <ul className="sticky top-7 flex flex-col border-s border-border">
          {PLAN_SECTIONS.map(({ id, title }) => (
            <li key={id}>
              <Link
                to={{ hash: id }}
                replace
                aria-current={id === current ? 'location' : undefined}
                className={cx(
                  '-ms-px block border-s-2 px-3 py-1.5 text-sm',
                  id === current
                    ? 'border-accent font-medium text-text'
                    : 'border-transparent text-muted hover:text-text',
                )}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

/** The ids are those of the headings of the cards. */
const PLAN_SECTIONS = [
  { id: 'plan-basics', title: 'Plan' },
  { id: 'plan-texts', title: 'Names and descriptions' },
  { id: 'plan-pricing', title: 'Pricing' },
  { id: 'plan-limits', title: 'Limits' },
] as const;

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
}

/** The last section whose heading has reached the upper third of the screen. */
function sectionInSight(): string {
  const line = window.innerHeight / 3;
  const reached = PLAN_SECTIONS.filter(({ id }) => {
    const heading = document.getElementById(id);
    return heading !== null && heading.getBoundingClientRect().top <= line;
  });
  return reached.at(-1)?.id ?? PLAN_SECTIONS[0].id;
}

function PlanFormSkeleton() {
  return (
    <PlanFormLayout>
      <LoadingNote />
      <Card as="div" className="mb-4">
        <CardHeader title="Plan" />
        <CardBody className="grid gap-x-4 gap-y-5 @xl:grid-cols-2">
          <FieldSkeleton hint />
          <FieldSkeleton hint />
          <FieldSkeleton hint />
          <div className="flex min-w-0 flex-col gap-4 @xl:col-span-2">
            <SwitchSkeleton />
            <SwitchSkeleton />
          </div>
        </CardBody>
      </Card>
      <Card as="div">
        <CardHeader
          title="Names and descriptions"
          description="English is required. Other languages are optional."
        />
        <CardBody className="flex flex-col gap-4">
          <Skeleton height="var(--control-height)" className="block rounded" />
          <FieldSkeleton />
          <FieldSkeleton height="3.5rem" />
          <FieldSkeleton hint height="6rem" />
        </CardBody>
      </Card>
    </PlanFormLayout>
  );
}
