import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
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
import { Card } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { isNotFound, messageOf } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import {
  endpointQuery,
  type LoaderArgs,
  prefetch,
  useEndpointQuery,
} from '@meridian/ui/api/query.ts';
import { Select } from '@meridian/ui/choices.tsx';
import { LoadError } from '@meridian/ui/failures.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import {
  ConflictPanel,
  type EditStart,
  ifMatch,
  useConflict,
  useEditStart,
  useSendAtOnce,
} from '@meridian/ui/form/conflict.tsx';
import { useForm } from '@meridian/ui/form/use-form.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import { EmptyState } from '@meridian/ui/placeholders.tsx';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { TierBadge } from '../../components/badges.tsx';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';
import { PlanForm, PlanFormSkeleton } from './fields.tsx';
import { type CurrenciesForPrices, useCurrencies } from './prices.tsx';
import {
  newPlanValues,
  planCreateInput,
  planLabel,
  planUpdateInput,
  type PlanValues,
  priceIssues,
  valuesOfPlan,
  withUnshown,
} from './values.ts';
import { currencyList } from '@meridian/contract/currencies';
import { ALL_CURRENCIES } from '../../components/catalogue.ts';

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

const TIERS = PLAN_TIERS.map((value) => ({ value, label: value }));

export function PlanCreateForm({ currencies }: { currencies: CurrenciesForPrices }) {
  const create = useEndpointMutation(planCreate, { invalidates: [planList] });
  const defaults = newPlanValues(currencies.active);
  const form = useForm({
    defaults,
    schema: planCreateBody,
    toBody: (values) => planCreateInput(values, defaults),
    ownIssues: (values) => priceIssues(values, currencies),
    labelOf: planLabel,
    fieldOfCode: { plan_name_taken: 'name' },
    keepsDraft: true,
    submit: async (body) => {
      await create.mutateAsync({ body });
      return { message: PLAN_MESSAGES.created(body.name), to: paths.plans };
    },
    failed: PLAN_MESSAGES.createFailed,
  });
  return (
    <PlanForm
      form={form}
      currencies={currencies}
      submitLabel="Create Plan"
      busyLabel="Creating..."
      tier={
        <Select
          label="Tier"
          hint="Tier can't be changed later."
          required
          options={TIERS}
          {...form.choice('tier')}
          value={form.values.tier === '' ? null : form.values.tier}
        />
      }
    />
  );
}

function PlanEditPage() {
  const { planId = '' } = useParams();
  const { data } = useEndpointQuery(planGet, { params: { id: planId } });
  const plan = data?.plan;
  const name = englishOr(plan?.displayName, plan?.name ?? '');
  return (
    <>
      <PageTitle
        tabTitle={plan === undefined ? 'Edit Plan' : `Edit Plan: ${name}`}
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
      {/* From one plan straight to another everything starts anew. */}
      <PlanEdit key={planId} id={planId} />
    </>
  );
}

/** Loads the plan, then hands it to the form, which it is the start of and nothing more. */
export function PlanEdit({ id }: { id: string }) {
  const query = useEndpointQuery(planGet, { params: { id } });
  const currencies = useCurrencies();
  const { data, isFetching } = query;
  const { start, startOver, box } = useEditStart<Plan, PlanValues>(data?.plan, isFetching);

  if (start !== undefined && currencies.isSettled) {
    return (
      <div ref={box} tabIndex={-1}>
        <PlanEditForm
          key={start.entity.version}
          start={start}
          currencies={currencies}
          onStartOver={startOver}
        />
        <div className="mt-4">
          <HistoryCard entity="plan" entityId={id} />
        </div>
      </div>
    );
  }
  if (query.error === null) return <PlanFormSkeleton />;
  if (isNotFound(query.error)) {
    return (
      <Card as="div">
        <EmptyState action={<LinkButton to={paths.plans}>Back to Plans</LinkButton>}>
          {messageOf(query.error, PLAN_MESSAGES.loadFailed)}
        </EmptyState>
      </Card>
    );
  }
  return <LoadError query={query} failed={PLAN_MESSAGES.loadFailed} />;
}

type Start = EditStart<Plan, PlanValues>;

interface PlanEditFormProps {
  start: Start;
  currencies: CurrenciesForPrices;
  onStartOver: (start: Start) => void;
}

export function PlanEditForm({ start, currencies, onStartOver }: PlanEditFormProps) {
  const client = useQueryClient();
  const plan = start.entity;
  const params = { id: plan.id };
  const [defaults] = useState(() => valuesOfPlan(plan, currencies.all));
  const update = useEndpointMutation(planUpdate, { invalidates: [planList, planGet] });
  const { rival, save } = useConflict({
    first: defaults,
    readLatest: async () => {
      const latest = { ...endpointQuery(planGet, { params }), staleTime: 0 };
      return (await client.fetchQuery(latest)).plan;
    },
    valuesOf: (entity) => valuesOfPlan(entity, currencies.all),
    onStartOver,
  });
  const form = useForm({
    defaults,
    initial: start.values,
    keepsDraft: true,
    schema: planUpdateBody,
    toBody: (values) => planUpdateInput(values, defaults),
    ownIssues: (values) => priceIssues(values, currencies),
    labelOf: planLabel,
    fieldOfCode: { plan_name_taken: 'name' },
    submit: async (body, values) => {
      const send = () =>
        update.mutateAsync({ params, headers: ifMatch(plan), body: withUnshown(body, plan) });
      if (!(await save(values, send))) return undefined;
      return { message: PLAN_MESSAGES.updated(body.name), to: paths.plans, afterMs: 0 };
    },
    failed: PLAN_MESSAGES.updateFailed,
  });
  useSendAtOnce(start, form.shell.onSubmit);

  return (
    <PlanForm
      form={form}
      currencies={currencies}
      plan={plan}
      submitLabel="Update Plan"
      busyLabel="Updating..."
      tier={<TextField label="Tier" hint="Tier can't be changed." readOnly value={plan.tier} />}
    >
      {rival !== undefined && (
        <ConflictPanel noun="plan" rival={rival} mine={form.values} labelOf={planLabel} />
      )}
    </PlanForm>
  );
}
