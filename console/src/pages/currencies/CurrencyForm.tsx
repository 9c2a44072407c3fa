import type { ReactNode } from 'react';
import { FormShell } from '../../components/form/FormShell.tsx';
import type { FieldControls } from '../../components/form/field-controls.ts';
import type { FormState } from '../../components/form/use-form.ts';
import { paths } from '../../paths.ts';
import { CurrencyFields } from './CurrencyFields.tsx';
import type { CurrencyValues } from './currency-values.ts';

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
