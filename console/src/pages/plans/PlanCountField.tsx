import { UNLIMITED } from '@meridian/contract/fields';
import { useState } from 'react';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { NumberField, type NumberFieldProps } from '../../ui/NumberField.tsx';

const WITHOUT_LIMIT = String(UNLIMITED);

interface PlanCountFieldProps extends NumberFieldProps {
  label: string;
}

/** A count that may be unlimited: -1 to the server, a checkbox to people. */
export function PlanCountField({ value, onValueChange, label, ...rest }: PlanCountFieldProps) {
  const isUnlimited = value.trim() === WITHOUT_LIMIT;
  // Typed as -1 it stays a number until the field is left: nothing moves under a typing hand.
  const [isTyping, setTyping] = useState(false);
  const [lastCount, setLastCount] = useState(isUnlimited ? '' : value);
  const isOff = isUnlimited && !isTyping;

  return (
    <div className="min-w-0">
      <NumberField
        {...rest}
        label={label}
        value={isOff ? '' : value}
        placeholder={isOff ? 'Unlimited' : rest.placeholder}
        disabled={isOff}
        onValueChange={(text) => {
          setTyping(true);
          onValueChange(text);
        }}
        onBlur={() => setTyping(false)}
      />
      <Checkbox
        className="mt-1.5"
        label="Unlimited"
        about={label}
        checked={isUnlimited}
        onCheckedChange={(isOn) => {
          setTyping(false);
          if (isOn) setLastCount(value);
          onValueChange(isOn ? WITHOUT_LIMIT : lastCount);
        }}
      />
    </div>
  );
}
