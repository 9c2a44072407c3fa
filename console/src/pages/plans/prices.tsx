import { useState } from 'react';
import { type Currency, CURRENCY_MESSAGES, currencyList } from '@meridian/contract/currencies';
import { type Plan, priceStep } from '@meridian/contract/plans';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { NumberField } from '@meridian/ui/NumberField.tsx';
import { SafeText, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { useLoggedError } from '@meridian/ui/api/browser.ts';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { Select, type SelectOption, Switch } from '@meridian/ui/choices.tsx';
import { type FailableQuery, LoadError } from '@meridian/ui/failures.tsx';
import type { Form } from '@meridian/ui/form/use-form.ts';
import { NOTHING } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { ALL_CURRENCIES, currenciesInOrder } from '../../components/catalogue.ts';
import { paths } from '../../paths.ts';
import { isBlank, parsePrice, PLAN_LABELS, type PlanValues, PRICE_PERIODS } from './values.ts';

interface PlanPricingCardProps {
  form: Form<PlanValues>;
  currencies: CurrenciesForPrices;
  plan: Plan | undefined;
}

export function PlanPricingCard({ form, currencies, plan }: PlanPricingCardProps) {
  const { isPaid, currency } = form.values;
  const { all, active, isKnown, query } = currencies;
  // A currency that is deactivated meanwhile keeps its fields, and what is being typed there.
  const [shown, setShown] = useState<readonly string[]>([]);
  const priced = all.filter(
    (one) =>
      active.includes(one) || shown.includes(one.code) || isRepriced(one.code, form.values, plan),
  );
  const codes = priced.map(({ code }) => code);
  if (codes.some((code) => !shown.includes(code))) setShown(codes);
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
          label={PLAN_LABELS.isPaid}
          description="Free plans have no prices."
          {...form.flag('isPaid')}
        />
        {isPaid &&
          priced.map((candidate) => (
            <PlanPriceRow
              key={candidate.code}
              form={form}
              currency={candidate}
              missing={candidate === active[0] ? missing : undefined}
            />
          ))}
        {isPaid && active.length === 0 && missing !== undefined && <Alert>{missing}</Alert>}
        {isPaid && <PlanKeptPrices values={form.values} shown={codes} isKnown={isKnown} />}
        <Select
          label={PLAN_LABELS.currency}
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
  missing: string | undefined;
}

function PlanPriceRow({ form, currency, missing }: PlanPriceRowProps) {
  const code = withoutHidden(currency.code).toUpperCase();
  const step = priceStep(currency);
  const monthly = form.number(`priceMonthly.${currency.code}`);
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
        label={`${PLAN_LABELS.priceMonthly} (${code})`}
        min={0}
        step={step}
        {...monthly}
        error={monthly.error ?? missing}
      />
      <NumberField
        label={`${PLAN_LABELS.priceYearly} (${code})`}
        min={0}
        step={step}
        {...form.number(`priceYearly.${currency.code}`)}
      />
    </fieldset>
  );
}

interface PlanKeptPricesProps {
  values: PlanValues;
  shown: readonly string[];
  isKnown: boolean;
}

function PlanKeptPrices({ values, shown, isKnown }: PlanKeptPricesProps) {
  const { priceMonthly, priceYearly } = values;
  const codes = Object.keys({ ...priceMonthly, ...priceYearly });
  const kept = codes.filter((code) => !shown.includes(code));
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

function isRepriced(code: string, values: PlanValues, plan: Plan | undefined): boolean {
  return PRICE_PERIODS.some((period) => {
    const text = values[period][code] ?? '';
    return (isBlank(text) ? undefined : parsePrice(text)) !== plan?.[period]?.[code];
  });
}

/** The plan's own currency is offered whatever its state. */
function currencyOptions({ all, active, isKnown }: CurrenciesForPrices, current: string) {
  const options: SelectOption<string>[] = active.map(({ code, name }) => ({
    value: code,
    label: code.toUpperCase(),
    detail: name,
  }));
  if (active.some(({ code }) => code === current)) return options;
  const state = all.some(({ code }) => code === current) ? 'inactive' : 'not found';
  const detail = isKnown ? state : undefined;
  return [{ value: current, label: current.toUpperCase(), detail }, ...options];
}

export interface CurrenciesForPrices {
  /** False until the first response or failure, so that the fields of the form do not move later. */
  isSettled: boolean;
  /** False when loading failed: a plan can be edited without them. */
  isKnown: boolean;
  /** Has an error only while there are no currencies to show. */
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
  // A second try after a failure counts as pending too, but the form must stay.
  const isAnswered = !isPending || failure !== null;
  const [isSettled, setSettled] = useState(isAnswered);
  if (!isSettled && isAnswered) setSettled(true);
  // Prices are kept by code, so a currency without a code cannot have any.
  const all = currenciesInOrder(data?.currencies ?? []).filter(({ code }) => code !== '');
  return {
    isSettled,
    isKnown: data !== undefined,
    query: { error: data === undefined ? failure : null, isFetching, refetch },
    all,
    active: all.filter(({ isActive }) => isActive),
  };
}
