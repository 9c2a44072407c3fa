import {
  CURRENCY_CODE_LENGTH,
  CURRENCY_MESSAGES,
  currencyCreate,
  currencyCreateBody,
  currencyList,
} from '@meridian/contract/currencies';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { FormShell } from '../../components/form/FormShell.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { TextField } from '../../ui/TextField.tsx';
import { CurrencyFields } from './CurrencyFields.tsx';
import { currencyInput, NEW_CURRENCY_VALUES } from './currency-values.ts';

export function CurrencyCreatePage() {
  const create = useEndpointMutation(currencyCreate, { invalidates: [currencyList] });
  const { shell, values, ...form } = useForm({
    defaults: NEW_CURRENCY_VALUES,
    schema: currencyCreateBody,
    toBody: currencyInput,
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
        context="Plans can be priced in it as soon as it is active."
        back={<BackLink to={paths.settings}>Back to Service Settings</BackLink>}
      />
      <FormShell
        {...shell}
        submitLabel="Create Currency"
        busyLabel="Creating..."
        cancelTo={paths.currenciesAlias}
        className="max-w-xl"
      >
        <CurrencyFields
          form={form}
          hasDecimals={values.useDecimals}
          code={
            <TextField
              label="Code"
              hint="ISO 4217, such as usd. Cannot be changed later."
              mono
              required
              maxLength={CURRENCY_CODE_LENGTH}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.text('code')}
              onChange={(event) => form.set('code', event.target.value.toLowerCase())}
            />
          }
        />
      </FormShell>
    </>
  );
}
