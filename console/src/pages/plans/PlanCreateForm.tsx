import {
  PLAN_MESSAGES,
  PLAN_TIERS,
  planCreate,
  planCreateBody,
  planList,
} from '@meridian/contract/plans';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { useForm } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { Select } from '../../ui/Select.tsx';
import { planCreateInput } from './plan-body.ts';
import { priceIssues } from './plan-price-issues.ts';
import { newPlanValues, planLabel } from './plan-values.ts';
import { PlanForm } from './PlanForm.tsx';
import type { CurrenciesForPrices } from './use-currencies.ts';

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
