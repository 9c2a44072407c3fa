import type { ReactNode } from 'react';
import type { Form } from '../../components/form/use-form.ts';
import type { PlanValues } from './plan-values.ts';
import { PlanBasicsCard } from './PlanBasicsCard.tsx';
import { PlanLimitsCard } from './PlanLimitsCard.tsx';
import { PlanPricingCard } from './PlanPricingCard.tsx';
import { PlanTextsCard } from './PlanTextsCard.tsx';
import type { CurrenciesForPrices } from './use-currencies.ts';

interface PlanFieldsProps {
  form: Form<PlanValues>;
  tier: ReactNode;
  currencies: CurrenciesForPrices;
}

/** Everything a new plan and an edited one have in common. */
export function PlanFields({ form, tier, currencies }: PlanFieldsProps) {
  return (
    <>
      <PlanBasicsCard form={form} tier={tier} />
      <PlanTextsCard form={form} />
      <PlanPricingCard form={form} currencies={currencies} />
      <PlanLimitsCard form={form} />
    </>
  );
}
