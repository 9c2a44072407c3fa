import { CURRENCY_MESSAGES } from '@meridian/contract/currencies';
import type { Plan } from '@meridian/contract/plans';
import { useState } from 'react';
import type { Form } from '../../components/form/use-form.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { paths } from '../../paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import type { CurrenciesForPrices } from './use-currencies.ts';
import { PlanKeptPrices } from './PlanKeptPrices.tsx';
import { PlanPriceRow } from './PlanPriceRow.tsx';
import { isRepriced } from './plan-price-issues.ts';
import type { PlanValues } from './plan-values.ts';

interface PlanPricingCardProps {
  form: Form<PlanValues>;
  currencies: CurrenciesForPrices;
  plan: Plan | undefined;
}

/** The active ones, and the plan's own whatever its state. */
function currencyOptions({ all, active, isKnown }: CurrenciesForPrices, current: string) {
  const options = active.map(({ code, name }) => ({
    value: code,
    label: code.toUpperCase(),
    detail: name,
  }));
  const isThere = options.some(({ value }) => value === current);
  const isInactive = all.some(({ code }) => code === current);
  return isThere
    ? options
    : [
        {
          value: current,
          label: current.toUpperCase(),
          // As long as the currencies are not known, nothing is said of it.
          detail: isKnown ? (isInactive ? 'inactive' : 'not found') : undefined,
        },
        ...options,
      ];
}

export function PlanPricingCard({ form, currencies, plan }: PlanPricingCardProps) {
  const { isPaid, currency } = form.values;
  const { all, active, isKnown, query } = currencies;
  /** A currency that is deactivated meanwhile keeps its fields, and what is being typed there. */
  const [shown, setShown] = useState<readonly string[]>([]);
  const priced = all.filter(
    (one) =>
      active.includes(one) || shown.includes(one.code) || isRepriced(one.code, form.values, plan),
  );
  if (priced.some(({ code }) => !shown.includes(code))) setShown(priced.map(({ code }) => code));
  const missing = form.errorAt('priceMonthly');
  return (
    <Card aria-labelledby="plan-pricing">
      <CardHeader title="Pricing" titleId="plan-pricing" />
      <CardBody className="flex flex-col gap-5">
        <LoadError query={query} failed={CURRENCY_MESSAGES.listFailed} withDefault />
        {isKnown && active.length === 0 && (
          <Alert tone="amber" live="none">
            There are no active currencies. Please{' '}
            <AppLink to={paths.currencies} className="underline underline-offset-2">
              add currencies in settings
            </AppLink>
            .
          </Alert>
        )}
        <Switch
          label="Paid plan"
          description="Free plans have no prices."
          {...form.flag('isPaid')}
        />
        {isPaid &&
          priced.map((candidate) => (
            <PlanPriceRow
              key={candidate.code}
              form={form}
              currency={candidate}
              isFirst={candidate === active[0]}
            />
          ))}
        {isPaid && active.length === 0 && missing !== undefined && <Alert>{missing}</Alert>}
        {isPaid && (
          <PlanKeptPrices
            values={form.values}
            shownCodes={priced.map(({ code }) => code)}
            isKnown={isKnown}
          />
        )}
        <Select
          label="Default currency"
          className="@xl:w-1/2"
          options={currencyOptions(currencies, currency)}
          {...form.choice('currency')}
        />
      </CardBody>
    </Card>
  );
}
