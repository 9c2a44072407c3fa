import type { Plan } from '@meridian/contract/plans';
import type { ReactNode } from 'react';
import { FormShell } from '../../components/form/FormShell.tsx';
import type { Form } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import type { PlanValues } from './plan-values.ts';
import { PlanBasicsCard } from './PlanBasicsCard.tsx';
import { PlanFormLayout } from './PlanFormLayout.tsx';
import { PlanLimitsCard } from './PlanLimitsCard.tsx';
import { PlanPricingCard } from './PlanPricingCard.tsx';
import { PlanTextsCard } from './PlanTextsCard.tsx';
import type { CurrenciesForPrices } from './use-currencies.ts';

interface PlanFormProps {
  form: Form<PlanValues>;
  currencies: CurrenciesForPrices;
  /** The one that is edited; undefined for a new one. */
  plan?: Plan | undefined;
  /** A select for a new plan, read-only for an existing one. */
  tier: ReactNode;
  submitLabel: string;
  busyLabel: string;
  /** Under the fields. */
  children?: ReactNode;
}

/** Everything a new plan and an edited one have in common. */
export function PlanForm({
  form,
  currencies,
  plan,
  tier,
  submitLabel,
  busyLabel,
  children,
}: PlanFormProps) {
  return (
    <PlanFormLayout>
      <FormShell
        {...form.shell}
        submitLabel={submitLabel}
        busyLabel={busyLabel}
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
