import type { ComponentProps, KeyboardEvent } from 'react';
import { parseNumber, stepNumber, type NumberRules } from './number-text.ts';
import { TextField, type TextFieldProps } from './TextField.tsx';

export interface NumberFieldProps
  extends
    NumberRules,
    Omit<TextFieldProps, 'value' | 'onChange' | 'type' | 'min' | 'max' | 'step'> {
  /** The text as typed, whatever it means: read it with parseNumber, by the same step. */
  value: string;
  onValueChange: (text: string) => void;
}

/** The keypads of phones have no minus: where one may be needed the letters have to do. */
function keypad(min: number | undefined, step: number): 'numeric' | 'decimal' | 'text' {
  if (min === undefined || min < 0) return 'text';
  return Number.isInteger(step) ? 'numeric' : 'decimal';
}

/**
 * A number typed as text. type="number" drops what it does not understand, turns over under a
 * mouse wheel and refuses the decimal comma; this keeps every keystroke and lets the form judge.
 */
export function NumberField({
  value,
  onValueChange,
  min,
  max,
  step = 1,
  onKeyDown,
  ...rest
}: NumberFieldProps) {
  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    onKeyDown?.(event);
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    if (event.defaultPrevented || rest.readOnly === true || rest.disabled === true) return;
    event.preventDefault();
    onValueChange(stepNumber(value, event.key === 'ArrowUp' ? 1 : -1, { min, max, step }));
  }

  // On a text input these limit nothing; they tell the range to tools that inspect the field.
  const range: ComponentProps<'input'> = { min, max, step };
  return (
    <TextField
      {...rest}
      {...range}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see above for type="number"
      role="spinbutton"
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={parseNumber(value, step) ?? undefined}
      aria-valuetext={value === '' ? 'empty' : value}
      inputMode={keypad(min, step)}
      autoComplete="off"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
      onKeyDown={handleKeyDown}
    />
  );
}
