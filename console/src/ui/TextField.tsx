import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Field, type FieldProps } from './Field.tsx';
import { INPUT_CLASS, INPUT_HEIGHT, READ_ONLY_CLASS } from './input-class.ts';

export interface TextFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'children' | 'className' | 'id' | 'required'> {
  /** Ids and codes: monospace. */
  mono?: boolean | undefined;
  /** An icon at the start, such as a magnifying glass. */
  icon?: ReactNode;
  /** A unit or a button at the end. */
  suffix?: ReactNode;
}

export function TextField({
  label,
  labelHidden,
  hint,
  error,
  required,
  id,
  className,
  mono = false,
  icon,
  suffix,
  type = 'text',
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, labelHidden, hint, error, required, id, className }}>
      {(control) => (
        <div className="relative">
          {icon !== undefined && (
            <span className="pointer-events-none absolute inset-y-0 start-3 flex items-center text-muted [&_svg]:size-4">
              {icon}
            </span>
          )}
          <input
            {...input}
            {...control}
            type={type}
            className={cx(
              INPUT_CLASS,
              INPUT_HEIGHT,
              mono && 'font-mono',
              input.readOnly === true && READ_ONLY_CLASS,
              icon !== undefined && 'ps-9',
              suffix !== undefined && 'pe-11',
            )}
          />
          {suffix !== undefined && (
            <span className="absolute inset-y-0 end-1 flex items-center text-sm text-muted">
              {suffix}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}
