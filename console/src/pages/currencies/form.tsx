import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import {
  type Currency,
  CURRENCY_CODE_LENGTH,
  CURRENCY_DEFAULTS,
  CURRENCY_MESSAGES,
  currencyCreate,
  type CurrencyCreateBody,
  currencyCreateBody,
  currencyGet,
  currencyList,
  currencyUpdate,
  currencyUpdateBody,
  DECIMAL_PLACES,
} from '@meridian/contract/currencies';
import { Card, CardBody } from '@meridian/ui/Card.tsx';
import { NumberField, numberOf } from '@meridian/ui/NumberField.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { type LoaderArgs, prefetch, readNow, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { Select, Switch } from '@meridian/ui/choices.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import { FormShell } from '@meridian/ui/form/FormShell.tsx';
import { type Edit, EditFrame, ifMatch, useEditForm } from '@meridian/ui/form/conflict.tsx';
import { type FieldControls, type Form, useForm } from '@meridian/ui/form/use-form.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import {
  EmptyState,
  FieldSkeleton,
  LoadingNote,
  SwitchSkeleton,
} from '@meridian/ui/placeholders.tsx';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';

export const create = { Component: CurrencyCreatePage };

export const edit = {
  Component: CurrencyEditPage,
  loader: ({ id }: LoaderArgs) => prefetch(currencyGet, { params: { id } }),
};

function CurrencyCreatePage() {
  const create = useEndpointMutation(currencyCreate, { invalidates: [currencyList] });
  const form = useForm({
    defaults: NEW_CURRENCY_VALUES,
    keepsDraft: true,
    schema: currencyCreateBody,
    toBody: currencyInput,
    labelOf: currencyLabel,
    fieldOfCode: { currency_code_taken: 'code' },
    submit: async (body) => {
      await create.mutateAsync({ body });
      return { message: CURRENCY_MESSAGES.created(body.code), to: paths.settings };
    },
    failed: CURRENCY_MESSAGES.createFailed,
  });
  return (
    <>
      <PageTitle
        title="Add New Currency"
        context="Plans can be priced in it as soon as it's active."
        back={<BackLink to={paths.settings}>Back to Service Settings</BackLink>}
      />
      <CurrencyForm
        form={form}
        submitLabel="Create Currency"
        busyLabel="Creating..."
        code={
          <TextField
            label={currencyLabel('code')}
            hint="Three letters (ISO 4217), such as usd. Can't be changed later."
            mono
            required
            maxLength={CURRENCY_CODE_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.text('code')}
            onChange={({ target }) => form.set('code', lowerCased(target))}
          />
        }
      />
    </>
  );
}

/** Writes the text into the field itself, else the caret would jump to the end. */
function lowerCased(input: HTMLInputElement): string {
  const { selectionStart, selectionEnd } = input;
  const text = input.value.toLowerCase();
  if (text !== input.value) {
    input.value = text;
    input.setSelectionRange(selectionStart, selectionEnd);
  }
  return text;
}

function CurrencyEditPage() {
  const { currencyId = '' } = useParams();
  const query = useEndpointQuery(currencyGet, { params: { id: currencyId } });
  return (
    <>
      <PageTitle
        title="Edit Currency"
        context="Changes apply to every plan priced in this currency."
        back={<BackLink to={paths.settings}>Back to Service Settings</BackLink>}
      />
      {/* The key starts everything anew on the way from one currency to another. */}
      <EditFrame<Currency, CurrencyValues>
        key={currencyId}
        query={query}
        entity={query.data?.currency}
        className="max-w-xl"
        skeleton={<CurrencyFormSkeleton />}
        missing={
          <EmptyState action={<LinkButton to={paths.currencies}>Back to Currencies</LinkButton>}>
            {CURRENCY_MESSAGES.notFound}
          </EmptyState>
        }
        failed={CURRENCY_MESSAGES.loadFailed}
      >
        {(edit) => (
          <>
            <CurrencyEditForm key={edit.start.entity.version} edit={edit} />
            <div className="mt-4">
              <HistoryCard entity="currency" entityId={currencyId} />
            </div>
          </>
        )}
      </EditFrame>
    </>
  );
}

function CurrencyEditForm({ edit }: { edit: Edit<Currency, CurrencyValues> }) {
  const currency = edit.start.entity;
  const params = { id: currency.id };
  const update = useEndpointMutation(currencyUpdate, { invalidates: [currencyList, currencyGet] });
  const { form, conflict } = useEditForm({
    edit,
    noun: 'currency',
    valuesOf: valuesOfCurrency,
    readLatest: async () => (await readNow(currencyGet, { params })).currency,
    schema: currencyUpdateBody,
    toBody: currencyInput,
    labelOf: currencyLabel,
    send: (body) => update.mutateAsync({ params, headers: ifMatch(currency), body }),
    saved: () => ({ message: CURRENCY_MESSAGES.updated(currency.code), to: paths.settings }),
    failed: CURRENCY_MESSAGES.updateFailed,
  });
  const code = (
    <TextField
      label={currencyLabel('code')}
      hint="Code can't be changed."
      mono
      readOnly
      value={currency.code}
    />
  );
  return (
    <CurrencyForm form={form} submitLabel="Update Currency" busyLabel="Updating..." code={code}>
      {conflict}
    </CurrencyForm>
  );
}

interface CurrencyFormProps {
  form: FieldControls<CurrencyValues> & Pick<Form<CurrencyValues>, 'values' | 'shell'>;
  submitLabel: string;
  busyLabel: string;
  code: ReactNode;
  children?: ReactNode;
}

function CurrencyForm({ form, submitLabel, busyLabel, code, children }: CurrencyFormProps) {
  return (
    <FormShell
      {...form.shell}
      submitLabel={submitLabel}
      busyLabel={busyLabel}
      cancelTo={paths.currenciesAlias}
      className="max-w-xl"
    >
      <CurrencyFields form={form} hasDecimals={form.values.useDecimals} code={code} />
      {children}
    </FormShell>
  );
}

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
        <TextField
          label={currencyLabel('symbol')}
          autoComplete="off"
          required
          {...form.text('symbol')}
        />
        <TextField
          label={currencyLabel('name')}
          autoComplete="off"
          required
          className="@xl:col-span-2"
          {...form.text('name')}
        />
        <Switch
          label={currencyLabel('useDecimals')}
          description="Turn off for currencies without decimals, such as the yen."
          className="@xl:col-span-2"
          {...form.flag('useDecimals')}
        />
        {hasDecimals && (
          <Select
            label={currencyLabel('decimalPlaces')}
            options={DECIMAL_PLACES.map(String).map((value) => ({ value, label: value }))}
            {...form.choice('decimalPlaces')}
          />
        )}
        <NumberField
          label={currencyLabel('displayOrder')}
          hint="Lower numbers come first."
          min={0}
          className="@xl:col-start-1"
          {...form.number('displayOrder')}
        />
        <Switch
          label={currencyLabel('isActive')}
          description="Plans can only be priced in active currencies."
          className="@xl:col-span-2"
          {...form.flag('isActive')}
        />
      </CardBody>
    </Card>
  );
}

function CurrencyFormSkeleton() {
  return (
    <div className="max-w-xl">
      <LoadingNote />
      <Card as="div">
        <CardBody className="grid gap-x-4 gap-y-5 @xl:grid-cols-2">
          <FieldSkeleton hint />
          <FieldSkeleton />
          <FieldSkeleton className="@xl:col-span-2" />
          <SwitchSkeleton className="@xl:col-span-2" />
          <FieldSkeleton className="@xl:col-start-1" />
          <FieldSkeleton hint className="@xl:col-start-1" />
          <SwitchSkeleton className="@xl:col-span-2" />
        </CardBody>
      </Card>
    </div>
  );
}

/** The fields hold numbers as typed or chosen. */
function valuesOfCurrency(currency: Omit<CurrencyCreateBody, 'code'>) {
  return {
    name: currency.name,
    symbol: currency.symbol,
    useDecimals: currency.useDecimals,
    decimalPlaces: String(currency.decimalPlaces),
    displayOrder: String(currency.displayOrder),
    isActive: currency.isActive,
  };
}

type CurrencyValues = ReturnType<typeof valuesOfCurrency>;

export const NEW_CURRENCY_VALUES = {
  code: '',
  ...valuesOfCurrency({ name: '', symbol: '', ...CURRENCY_DEFAULTS }),
};

function currencyInput<Values extends CurrencyValues>(values: Values) {
  return {
    ...values,
    decimalPlaces: numberOf(values.decimalPlaces),
    displayOrder: numberOf(values.displayOrder),
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

const currencyLabel = (path: string) => LABELS[path] ?? path;
