import {
  CURRENCY_CODE_LENGTH,
  CURRENCY_MESSAGES,
  currencyCreate,
  currencyCreateBody,
  currencyList,
} from '@meridian/contract/currencies';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { useForm } from '../../components/form/use-form.ts';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { TextField } from '../../ui/TextField.tsx';
import { currencyInput, currencyLabel, NEW_CURRENCY_VALUES } from './currency-values.ts';
import { CurrencyForm } from './CurrencyForm.tsx';

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

export function CurrencyCreatePage() {
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
