import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Field, type FieldProps } from './Field.tsx';
import { withoutHidden } from './hidden-characters.ts';
import { INPUT_CLASS, INPUT_HEIGHT } from './input-class.ts';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  /** More about it, on the same line: a tier, a price. */
  detail?: string | undefined;
  disabled?: boolean | undefined;
}

export interface SelectProps<Value extends string>
  extends
    FieldProps,
    Omit<
      ComponentProps<'select'>,
      'children' | 'className' | 'id' | 'required' | 'value' | 'defaultValue' | 'multiple'
    > {
  options: readonly SelectOption<Value>[];
  /** Null while nothing is chosen: the placeholder shows, as for what is no longer on offer. */
  value: Value | null;
  onValueChange: (value: Value) => void;
  placeholder?: string | undefined;
}

/**
 * A native select: keyboard, type-ahead, phones and screen readers come with it and weigh
 * nothing. Browsers that can style its list do (see select.css), the others show their own.
 */
export function Select<Value extends string>({
  label,
  labelHidden,
  hint,
  error,
  required,
  id,
  className,
  options,
  value,
  onValueChange,
  placeholder = 'Choose…',
  ...select
}: SelectProps<Value>) {
  // A browser would show the first option instead, as if it had been chosen.
  const isOffered = options.some((option) => option.value === value);
  return (
    <Field {...{ label, labelHidden, hint, error, required, id, className }}>
      {(control) => (
        <div className="relative">
          <select
            {...select}
            {...control}
            value={isOffered ? (value ?? '') : ''}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen !== undefined) onValueChange(chosen.value);
            }}
            className={cx(INPUT_CLASS, INPUT_HEIGHT, 'select pe-9', !isOffered && 'text-muted!')}
          >
            {!isOffered && (
              <option value="" disabled hidden>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {/* No marks in an option: it takes plain text only. */}
                {withoutHidden(
                  option.detail === undefined ? option.label : `${option.label} · ${option.detail}`,
                )}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-muted"
          />
        </div>
      )}
    </Field>
  );
}
