import {
  type Currency,
  CURRENCY_MESSAGES,
  currencyGet,
  currencyList,
  currencyUpdate,
  currencyUpdateBody,
} from '@meridian/contract/currencies';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { FormShell } from '../../components/form/FormShell.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { TextField } from '../../ui/TextField.tsx';
import { CurrencyFields } from './CurrencyFields.tsx';
import { currencyInput, valuesOfCurrency } from './currency-values.ts';

export function CurrencyEditForm({ currency }: { currency: Currency }) {
  const update = useEndpointMutation(currencyUpdate, { invalidates: [currencyList, currencyGet] });
  const { shell, values, ...form } = useForm({
    defaults: valuesOfCurrency(currency),
    schema: currencyUpdateBody,
    toBody: currencyInput,
    submit: async (body) => {
      await update.mutateAsync({ params: { id: currency.id }, body });
      return {
        message: CURRENCY_MESSAGES.updated(currency.code),
        to: paths.settings,
        afterMs: 0,
      };
    },
    failed: CURRENCY_MESSAGES.updateFailed,
  });
  return (
    <FormShell
      {...shell}
      submitLabel="Update Currency"
      busyLabel="Updating..."
      cancelTo={paths.currenciesAlias}
      className="max-w-xl"
    >
      <CurrencyFields
        form={form}
        hasDecimals={values.useDecimals}
        code={
          <TextField
            label="Code"
            hint="A currency keeps its code for good."
            mono
            readOnly
            value={currency.code}
          />
        }
      />
    </FormShell>
  );
}
