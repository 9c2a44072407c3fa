import {
  type Currency,
  CURRENCY_MESSAGES,
  currencyGet,
  currencyList,
  currencyUpdate,
  currencyUpdateBody,
} from '@meridian/contract/currencies';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { endpointQuery } from '../../api/use-endpoint-query.ts';
import { ConflictPanel } from '../../components/form/ConflictPanel.tsx';
import { ifMatch, useConflict } from '../../components/form/use-conflict.ts';
import { type EditStart, useSendAtOnce } from '../../components/form/use-edit-start.ts';
import { useForm } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { TextField } from '../../ui/TextField.tsx';
import {
  currencyInput,
  currencyLabel,
  type CurrencyValues,
  valuesOfCurrency,
} from './currency-values.ts';
import { CurrencyForm } from './CurrencyForm.tsx';

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
