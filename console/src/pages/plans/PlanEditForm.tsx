import {
  type Plan,
  PLAN_MESSAGES,
  planGet,
  planList,
  planUpdate,
  planUpdateBody,
} from '@meridian/contract/plans';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { endpointQuery } from '../../api/use-endpoint-query.ts';
import { ConflictPanel } from '../../components/form/ConflictPanel.tsx';
import { ifMatch, useConflict } from '../../components/form/use-conflict.ts';
import { type EditStart, useSendAtOnce } from '../../components/form/use-edit-start.ts';
import { useForm } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { TextField } from '../../ui/TextField.tsx';
import { planUpdateInput } from './plan-body.ts';
import { withUnshown } from './plan-kept.ts';
import { priceIssues } from './plan-price-issues.ts';
import { planLabel, type PlanValues, valuesOfPlan } from './plan-values.ts';
import { PlanForm } from './PlanForm.tsx';
import type { CurrenciesForPrices } from './use-currencies.ts';

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
