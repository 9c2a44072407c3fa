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
import { isConflict, messageOf } from '../../api/api-error.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { endpointQuery } from '../../api/use-endpoint-query.ts';
import { FormShell } from '../../components/form/FormShell.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { TextField } from '../../ui/TextField.tsx';
import { planUpdateInput, priceIssues } from './plan-body.ts';
import { withUnshown } from './plan-kept.ts';
import { valuesOfPlan } from './plan-values.ts';
import { PlanConflict } from './PlanConflict.tsx';
import { PlanFields } from './PlanFields.tsx';
import type { CurrenciesForPrices } from './use-currencies.ts';

interface PlanEditFormProps {
  plan: Plan;
  currencies: CurrenciesForPrices;
  /** Starts over from another version of the plan. */
  onLoad: (plan: Plan) => void;
}

export function PlanEditForm({ plan, currencies, onLoad }: PlanEditFormProps) {
  const client = useQueryClient();
  const params = { id: plan.id };
  const [defaults] = useState(() => valuesOfPlan(plan, currencies.all));
  const [rival, setRival] = useState<{ plan: Plan; message: string }>();
  const [version, setVersion] = useState(plan.version);
  const update = useEndpointMutation(planUpdate, {
    invalidates: [planList, planGet],
    // A server that keeps no versions gives none; then the last one to save wins.
    headers: version > 0 ? { 'If-Match': `"v${version}"` } : undefined,
  });

  async function showConflict(error: unknown) {
    const latest = { ...endpointQuery(planGet, { params }), staleTime: 0 };
    const { plan: theirs } = await client.fetchQuery(latest);
    setRival({ plan: theirs, message: messageOf(error, PLAN_MESSAGES.updateFailed) });
  }

  const form = useForm({
    defaults,
    schema: planUpdateBody,
    toBody: (values) => planUpdateInput(values, defaults),
    ownIssues: priceIssues,
    submit: async (body) => {
      try {
        await update.mutateAsync({ params, body: withUnshown(body, plan) });
      } catch (error) {
        if (!isConflict(error)) throw error;
        await showConflict(error);
        return undefined;
      }
      return { message: PLAN_MESSAGES.updated(body.name), to: paths.plans, afterMs: 0 };
    },
    failed: PLAN_MESSAGES.updateFailed,
  });

  return (
    <FormShell
      {...form.shell}
      submitLabel="Update Plan"
      busyLabel="Updating..."
      cancelTo={paths.plans}
    >
      <PlanFields
        form={form}
        currencies={currencies}
        tier={
          <TextField
            label="Tier"
            hint="A plan keeps its tier for good."
            readOnly
            value={plan.tier}
          />
        }
      />
      {rival !== undefined && (
        <PlanConflict
          key={rival.plan.version}
          message={rival.message}
          mine={form.values}
          theirs={valuesOfPlan(rival.plan, currencies.all)}
          onKeepMine={() => setVersion(rival.plan.version)}
          onLoadTheirs={() => onLoad(rival.plan)}
        />
      )}
    </FormShell>
  );
}
