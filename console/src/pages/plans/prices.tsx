import { useState } from 'react';
import { type Currency, CURRENCY_MESSAGES, currencyList } from '@meridian/contract/currencies';
import { type Plan, priceStep } from '@meridian/contract/plans';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { NumberField } from '@meridian/ui/NumberField.tsx';
import { SafeText, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { useLoggedError } from '@meridian/ui/api/browser.ts';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { Select, Switch } from '@meridian/ui/choices.tsx';
import { type FailableQuery, LoadError } from '@meridian/ui/failures.tsx';
import type { Form } from '@meridian/ui/form/use-form.ts';
import { NOTHING } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { ALL_CURRENCIES, currenciesInOrder } from '../../components/catalogue.ts';
import { paths } from '../../paths.ts';
import { isBlank, parsePrice, type PlanValues } from './values.ts';

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

interface PlanPriceRowProps {
  form: Form<PlanValues>;
  currency: Currency;
  /** The first active row also says that there is no price at all. */
  isFirst: boolean;
}

function PlanPriceRow({ form, currency, isFirst }: PlanPriceRowProps) {
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

interface PlanKeptPricesProps {
  values: PlanValues;
  /** Those that have fields. */
  shownCodes: readonly string[];
  /** Without the list of currencies nothing can be said about their state. */
  isKnown: boolean;
}

/** Prices in currencies that have no fields here are not dropped either. */
function PlanKeptPrices({ values, shownCodes, isKnown }: PlanKeptPricesProps) {
  const { priceMonthly, priceYearly } = values;
  const kept = [...new Set([...Object.keys(priceMonthly), ...Object.keys(priceYearly)])].filter(
    (code) => !shownCodes.includes(code),
  );
  if (kept.length === 0) return null;
  return (
    <div className="text-sm text-muted">
      <p>
        {isKnown
          ? 'Prices in inactive currencies stay unchanged:'
          : 'These prices stay unchanged until the currencies are loaded:'}
      </p>
      <ul className="mt-1">
        {kept.map((code) => (
          <li key={code} className="tabular-nums">
            <span className="font-medium text-text">{code.toUpperCase()}</span>{' '}
            {priceMonthly[code] ?? NOTHING} / month, {priceYearly[code] ?? NOTHING} / year
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Whether the form has another price in this currency than the plan. */
function isRepriced(code: string, values: PlanValues, plan: Plan | undefined): boolean {
  return (['priceMonthly', 'priceYearly'] as const).some((period) => {
    const text = values[period][code] ?? '';
    return (isBlank(text) ? undefined : parsePrice(text)) !== plan?.[period]?.[code];
  });
}

export interface CurrenciesForPrices {
  /** The form waits for the first response or failure, so that its fields do not move later. */
  isSettled: boolean;
  /** False when loading failed: a plan can be edited without them. */
  isKnown: boolean;
  /** Its error is why they could not be loaded; null while they are there or on their way. */
  query: FailableQuery;
  all: readonly Currency[];
  active: readonly Currency[];
}

export function useCurrencies(): CurrenciesForPrices {
  const { data, error, failureReason, isPending, isFetching, refetch } = useEndpointQuery(
    currencyList,
    ALL_CURRENCIES,
  );
  useLoggedError(CURRENCY_MESSAGES.listFailed, error);
  // The first failure is shown at once; the query's own second try then goes on behind it.
  const failure = error ?? failureReason;
  // For good: a second try after a failure counts as pending too, but the form must stay.
  const isAnswered = !isPending || failure !== null;
  const [isSettled, setSettled] = useState(isAnswered);
  if (!isSettled && isAnswered) setSettled(true);
  // Prices are kept by code: one that came without cannot be priced in.
  const all = currenciesInOrder(data?.currencies ?? []).filter(({ code }) => code !== '');
  return {
    isSettled,
    isKnown: data !== undefined,
    query: { error: data === undefined ? failure : null, isFetching, refetch },
    all,
    active: all.filter(({ isActive }) => isActive),
  };
}
