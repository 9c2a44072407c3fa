import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Field, type FieldProps } from './Field.tsx';
import { INPUT_CLASS, READ_ONLY_CLASS } from './input-class.ts';

export interface TextAreaProps
  extends
    FieldProps,
    Omit<ComponentProps<'textarea'>, 'children' | 'className' | 'id' | 'required'> {}

/** Grows with what is typed, where the browser can, and scrolls beyond that. */
export function TextArea({
  label,
  labelHidden,
  hint,
  error,
  required,
  id,
  className,
  rows = 3,
  ...area
}: TextAreaProps) {
  return (
    <Field {...{ label, labelHidden, hint, error, required, id, className }}>
      {(control) => (
        <textarea
          {...area}
          {...control}
          rows={rows}
          className={cx(
            INPUT_CLASS,
            'block field-sizing-content max-h-96 resize-y py-1.5',
            area.readOnly === true && READ_ONLY_CLASS,
          )}
          // field-sizing ignores rows: the least height has to be told.
          style={{ minHeight: `calc(${rows}lh + 0.875rem)` }}
        />
      )}
    </Field>
  );
}
