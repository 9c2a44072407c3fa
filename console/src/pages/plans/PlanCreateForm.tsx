import {
  PLAN_MESSAGES,
  PLAN_TIERS,
  planCreate,
  planCreateBody,
  planList,
} from '@meridian/contract/plans';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { FormShell } from '../../components/form/FormShell.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { Select } from '../../ui/Select.tsx';
import { planCreateInput, priceIssues } from './plan-body.ts';
import { NEW_PLAN_VALUES } from './plan-values.ts';
import { PlanFields } from './PlanFields.tsx';
import type { CurrenciesForPrices } from './use-currencies.ts';

const TIERS = PLAN_TIERS.map((value) => ({ value, label: value }));

export function PlanCreateForm({ currencies }: { currencies: CurrenciesForPrices }) {
  const create = useEndpointMutation(planCreate, { invalidates: [planList] });
  const form = useForm({
    defaults: NEW_PLAN_VALUES,
    schema: planCreateBody,
    toBody: (values) => planCreateInput(values, NEW_PLAN_VALUES),
    ownIssues: priceIssues,
    submit: async (body) => {
      await create.mutateAsync({ body });
      return { message: PLAN_MESSAGES.created(body.name), to: paths.plans };
    },
    failed: PLAN_MESSAGES.createFailed,
  });
  return (
    <FormShell
      {...form.shell}
      submitLabel="Create Plan"
      busyLabel="Creating..."
      cancelTo={paths.plans}
    >
      <PlanFields
        form={form}
        currencies={currencies}
        tier={
          <Select
            label="Tier"
            hint="Cannot be changed later."
            required
            options={TIERS}
            {...form.choice('tier')}
            value={form.values.tier === '' ? null : form.values.tier}
          />
        }
      />
    </FormShell>
  );
}
