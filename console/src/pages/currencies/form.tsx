import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import {
  type Currency,
  CURRENCY_CODE_LENGTH,
  CURRENCY_MESSAGES,
  currencyCreate,
  currencyCreateBody,
  currencyGet,
  currencyList,
  currencyUpdate,
  currencyUpdateBody,
} from '@meridian/contract/currencies';
import { Card, CardBody } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { isNotFound } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import {
  endpointQuery,
  type LoaderArgs,
  prefetch,
  useEndpointQuery,
} from '@meridian/ui/api/query.ts';
import { LoadError } from '@meridian/ui/failures.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import {
  ConflictPanel,
  type EditStart,
  ifMatch,
  useConflict,
  useEditStart,
  useSendAtOnce,
} from '@meridian/ui/form/conflict.tsx';
import { useForm } from '@meridian/ui/form/use-form.ts';
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
import {
  CurrencyForm,
  currencyInput,
  currencyLabel,
  type CurrencyValues,
  NEW_CURRENCY_VALUES,
  valuesOfCurrency,
} from './fields.tsx';

export const create = { Component: CurrencyCreatePage };

export const edit = {
  Component: CurrencyEditPage,
  loader: ({ id }: LoaderArgs) => prefetch(currencyGet, { params: { id } }),
};

/** The text in lower case. Put into the field here, as the caret would jump to the end otherwise. */
function lowerCased(input: HTMLInputElement): string {
  const { selectionStart, selectionEnd } = input;
  const text = input.value.toLowerCase();
  if (text !== input.value) {
    input.value = text;
    input.setSelectionRange(selectionStart, selectionEnd);
  }
  return text;
}

function CurrencyCreatePage() {
  const create = useEndpointMutation(currencyCreate, { invalidates: [currencyList] });
  const { shell, values, ...fields } = useForm({
    defaults: NEW_CURRENCY_VALUES,
    schema: currencyCreateBody,
    toBody: currencyInput,
    labelOf: currencyLabel,
    fieldOfCode: { currency_code_taken: 'code' },
    keepsDraft: true,
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
        shell={shell}
        fields={fields}
        hasDecimals={values.useDecimals}
        submitLabel="Create Currency"
        busyLabel="Creating..."
        code={
          <TextField
            label="Code"
            hint="Three letters (ISO 4217), such as usd. Can't be changed later."
            mono
            required
            maxLength={CURRENCY_CODE_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...fields.text('code')}
            onChange={({ target }) => fields.set('code', lowerCased(target))}
          />
        }
      />
    </>
  );
}

function CurrencyEditPage() {
  const { currencyId = '' } = useParams();
  return (
    <>
      <PageTitle
        title="Edit Currency"
        context="Changes apply to every plan priced in this currency."
        back={<BackLink to={paths.settings}>Back to Service Settings</BackLink>}
      />
      {/* From one currency straight to another everything starts anew. */}
      <CurrencyEdit key={currencyId} id={currencyId} />
    </>
  );
}

/** Loads the currency, then hands it to the form, which it is the start of and nothing more. */
export function CurrencyEdit({ id }: { id: string }) {
  const query = useEndpointQuery(currencyGet, { params: { id } });
  const { start, startOver, box } = useEditStart<Currency, CurrencyValues>(
    query.data?.currency,
    query.isFetching,
  );

  if (start !== undefined) {
    return (
      <div ref={box} tabIndex={-1} className="max-w-xl">
        <CurrencyEditForm key={start.entity.version} start={start} onStartOver={startOver} />
        <div className="mt-4">
          <HistoryCard entity="currency" entityId={id} />
        </div>
      </div>
    );
  }
  if (query.error === null) {
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
  if (isNotFound(query.error)) {
    return (
      <Card as="div">
        <EmptyState action={<LinkButton to={paths.currencies}>Back to Currencies</LinkButton>}>
          {CURRENCY_MESSAGES.notFound}
        </EmptyState>
      </Card>
    );
  }
  return <LoadError query={query} failed={CURRENCY_MESSAGES.loadFailed} />;
}

type Start = EditStart<Currency, CurrencyValues>;

interface CurrencyEditFormProps {
  start: Start;
  onStartOver: (start: Start) => void;
}

export function CurrencyEditForm({ start, onStartOver }: CurrencyEditFormProps) {
  const client = useQueryClient();
  const currency = start.entity;
  const params = { id: currency.id };
  const [defaults] = useState(() => valuesOfCurrency(currency));
  const update = useEndpointMutation(currencyUpdate, { invalidates: [currencyList, currencyGet] });
  const { rival, save } = useConflict({
    first: defaults,
    readLatest: async () => {
      const latest = { ...endpointQuery(currencyGet, { params }), staleTime: 0 };
      return (await client.fetchQuery(latest)).currency;
    },
    valuesOf: valuesOfCurrency,
    onStartOver,
  });
  const { shell, values, ...fields } = useForm({
    defaults,
    initial: start.values,
    keepsDraft: true,
    schema: currencyUpdateBody,
    toBody: currencyInput,
    labelOf: currencyLabel,
    submit: async (body, edited) => {
      const send = () => update.mutateAsync({ params, headers: ifMatch(currency), body });
      if (!(await save(edited, send))) return undefined;
      return { message: CURRENCY_MESSAGES.updated(currency.code), to: paths.settings, afterMs: 0 };
    },
    failed: CURRENCY_MESSAGES.updateFailed,
  });
  useSendAtOnce(start, shell.onSubmit);

  return (
    <CurrencyForm
      shell={shell}
      fields={fields}
      hasDecimals={values.useDecimals}
      submitLabel="Update Currency"
      busyLabel="Updating..."
      code={
        <TextField label="Code" hint="Code can't be changed." mono readOnly value={currency.code} />
      }
    >
      {rival !== undefined && (
        <ConflictPanel noun="currency" rival={rival} mine={values} labelOf={currencyLabel} />
      )}
    </CurrencyForm>
  );
}
