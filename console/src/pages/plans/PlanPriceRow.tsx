import type { Currency } from '@meridian/contract/currencies';
import { priceStep } from '@meridian/contract/plans';
import type { Form } from '../../components/form/use-form.ts';
import { withoutHidden } from '../../ui/hidden-characters.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import type { PlanValues } from './plan-values.ts';

interface PlanPriceRowProps {
  form: Form<PlanValues>;
  currency: Currency;
  /** The first active row also says that there is no price at all. */
  isFirst: boolean;
}

export function PlanPriceRow({ form, currency, isFirst }: PlanPriceRowProps) {
  const code = withoutHidden(currency.code).toUpperCase();
  const step = priceStep(currency);
  const monthly = form.number(`priceMonthly.${currency.code}`);
  const missing = isFirst ? form.errorAt('priceMonthly') : undefined;
  return (
    <fieldset className="grid items-start gap-x-4 gap-y-3 @xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]">
      <legend className="sr-only">{code}</legend>
      <div className="self-center text-base @xl:pt-5">
        <span className="font-medium">{code}</span>{' '}
        <span className="text-muted">
          <SafeText>{currency.name}</SafeText> (<SafeText>{currency.symbol}</SafeText>)
        </span>
        {!currency.isActive && <span className="block text-sm text-amber">Inactive</span>}
      </div>
      <NumberField
        label={`Monthly price (${code})`}
        min={0}
        step={step}
        {...monthly}
        error={monthly.error ?? missing}
      />
      <NumberField
        label={`Yearly price (${code})`}
        min={0}
        step={step}
        {...form.number(`priceYearly.${currency.code}`)}
      />
    </fieldset>
  );
}
