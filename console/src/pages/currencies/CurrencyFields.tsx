import { DECIMAL_PLACES } from '@meridian/contract/currencies';
import type { ReactNode } from 'react';
import type { FieldControls } from '../../components/form/field-controls.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { CurrencyValues } from './currency-values.ts';

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
