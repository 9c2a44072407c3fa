import type { ComponentProps, KeyboardEvent } from 'react';
import { TextField, type TextFieldProps } from './fields.tsx';

export interface NumberFieldProps
  extends
    NumberRules,
    Omit<TextFieldProps, 'value' | 'onChange' | 'type' | 'min' | 'max' | 'step'> {
  value: string;
  onValueChange: (text: string) => void;
}

/** The keypads of phones have no minus: where one may be needed the letters have to do. */
function keypad(min: number | undefined, step: number): 'numeric' | 'decimal' | 'text' {
  if (min === undefined || min < 0) return 'text';
  return Number.isInteger(step) ? 'numeric' : 'decimal';
}

/** A number typed as text: type="number" drops keystrokes and turns over under a mouse wheel. */
export function NumberField({ value, onValueChange, onKeyDown, ...props }: NumberFieldProps) {
  const { min, max, step = 1, ...rest } = props;
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

interface NumberRules {
  min?: number | undefined;
  max?: number | undefined;
  step?: number | undefined;
}

export function decimalsOf(step: number): number {
  const text = step.toString();
  const exponent = /e-(\d+)$/.exec(text);
  if (exponent?.[1] !== undefined) return Number(exponent[1]);
  return text.split('.')[1]?.length ?? 0;
}

const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;
/** With three digits behind it a comma may as well group thousands: it is not guessed. */
const COMMA = /^(-?\d*),(\d{1,2})$/;

/** The digits a text is read by: trimmed, with one kind of minus and, among decimals, of point. */
function plainText(text: string, step: number): string {
  const plain = text.trim().replace('\u2212', '-');
  return Number.isInteger(step) ? plain : plain.replace(COMMA, '$1.$2');
}

/** The number a text means, null when it is empty or could mean another one. */
export function parseNumber(text: string, step = 1): number | null {
  const plain = plainText(text, step);
  if (!(Number.isInteger(step) ? WHOLE : DECIMAL).test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** For a body: what is no number gets the contract's own sentence about it. */
export function numberOf(text: string, step?: number): number {
  return parseNumber(text, step) ?? Number.NaN;
}

/** How many decimals were written: '4.90' has two. */
export function writtenDecimals(text: string, step: number): number {
  return plainText(text, step).split('.')[1]?.length ?? 0;
}

export function stepNumber(text: string, direction: 1 | -1, rules: NumberRules): string {
  const { min = -Infinity, max = Infinity, step = 1 } = rules;
  const read = parseNumber(text, step);
  if (read === null && text.trim() !== '') return text;
  const start = read ?? (Number.isFinite(min) ? min - direction * step : 0);
  const next = Math.min(max, Math.max(min, start + direction * step));
  return next.toFixed(decimalsOf(step));
}
