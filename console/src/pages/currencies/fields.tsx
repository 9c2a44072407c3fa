import type { ReactNode } from 'react';
import { type Currency, CURRENCY_DEFAULTS, DECIMAL_PLACES } from '@meridian/contract/currencies';
import { Card, CardBody } from '@meridian/ui/Card.tsx';
import { NumberField, parseNumber } from '@meridian/ui/NumberField.tsx';
import { Select, Switch } from '@meridian/ui/choices.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import { FormShell } from '@meridian/ui/form/FormShell.tsx';
import type { FieldControls, FormState } from '@meridian/ui/form/use-form.ts';
import { paths } from '../../paths.ts';

interface CurrencyFormProps {
  shell: FormState;
  fields: FieldControls<CurrencyValues>;
  hasDecimals: boolean;
  /** A text field for a new currency, read-only for an existing one. */
  code: ReactNode;
  submitLabel: string;
  busyLabel: string;
  /** Under the fields. */
  children?: ReactNode;
}

/** Everything a new currency and an edited one have in common. */
export function CurrencyForm({
  shell,
  fields,
  hasDecimals,
  code,
  submitLabel,
  busyLabel,
  children,
}: CurrencyFormProps) {
  return (
    <FormShell
      {...shell}
      submitLabel={submitLabel}
      busyLabel={busyLabel}
      cancelTo={paths.currenciesAlias}
      className="max-w-xl"
    >
      <CurrencyFields {...{ form: fields, hasDecimals, code }} />
      {children}
    </FormShell>
  );
}

const PLACES = DECIMAL_PLACES.map((places) => ({ value: String(places), label: String(places) }));

interface CurrencyFieldsProps {
  form: FieldControls<CurrencyValues>;
  hasDecimals: boolean;
  /** A text field for a new currency, read-only for an existing one. */
  code: ReactNode;
}

export function CurrencyFields({ form, hasDecimals, code }: CurrencyFieldsProps) {
  return (
    <Card as="div">
      <CardBody className="grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2">
        {code}
        <TextField label="Symbol" autoComplete="off" required {...form.text('symbol')} />
        <TextField
          label="Name"
          autoComplete="off"
          required
          className="@xl:col-span-2"
          {...form.text('name')}
        />
        <Switch
          label="Use decimals"
          description="Turn off for currencies without decimals, such as the yen."
          className="@xl:col-span-2"
          {...form.flag('useDecimals')}
        />
        {hasDecimals && (
          <Select label="Decimal places" options={PLACES} {...form.choice('decimalPlaces')} />
        )}
        <NumberField
          label="Display order"
          hint="Lower numbers come first."
          min={0}
          className="@xl:col-start-1"
          {...form.number('displayOrder')}
        />
        <Switch
          label="Active"
          description="Plans can only be priced in active currencies."
          className="@xl:col-span-2"
          {...form.flag('isActive')}
        />
      </CardBody>
    </Card>
  );
}

/** What stands in the fields: numbers as typed or chosen. */
export interface CurrencyValues {
  name: string;
  symbol: string;
  useDecimals: boolean;
  decimalPlaces: string;
  displayOrder: string;
  isActive: boolean;
}

export const NEW_CURRENCY_VALUES = {
  code: '',
  name: '',
  symbol: '',
  useDecimals: CURRENCY_DEFAULTS.useDecimals as boolean, // The constant is only ever true.
  decimalPlaces: String(CURRENCY_DEFAULTS.decimalPlaces),
  displayOrder: String(CURRENCY_DEFAULTS.displayOrder),
  isActive: CURRENCY_DEFAULTS.isActive as boolean, // As above.
};

export function valuesOfCurrency(currency: Currency): CurrencyValues {
  return {
    name: currency.name,
    symbol: currency.symbol,
    useDecimals: currency.useDecimals,
    decimalPlaces: String(currency.decimalPlaces),
    displayOrder: String(currency.displayOrder),
    isActive: currency.isActive,
  };
}

const LABELS: Readonly<Record<string, string>> = {
  code: 'Code',
  name: 'Name',
  symbol: 'Symbol',
  useDecimals: 'Use decimals',
  decimalPlaces: 'Decimal places',
  displayOrder: 'Display order',
  isActive: 'Active',
} satisfies Record<keyof typeof NEW_CURRENCY_VALUES, string>;

export const currencyLabel = (path: string) => LABELS[path] ?? path;

/** The body these fields mean. What is no number gets the contract's sentence about it. */
export function currencyInput<Values extends CurrencyValues>(values: Values) {
  return {
    ...values,
    decimalPlaces: parseNumber(values.decimalPlaces) ?? Number.NaN,
    displayOrder: parseNumber(values.displayOrder) ?? Number.NaN,
  };
}
