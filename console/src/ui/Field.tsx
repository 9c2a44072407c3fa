import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';

export interface FieldProps {
  label: ReactNode;
  /** Keeps the label for screen readers where the place itself says what the field is. */
  labelHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean | undefined;
  id?: string | undefined;
  className?: string | undefined;
}

/** What ties a control to its label, hint and error: spread it on the control. */
export interface FieldControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

interface Props extends FieldProps {
  children: (control: FieldControlProps, labelId: string) => ReactNode;
}

/** Label above, control, hint and error below. */
export function Field({
  label,
  labelHidden = false,
  hint,
  error,
  required = false,
  id,
  className,
  children,
}: Props) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hasHint = hint !== undefined && hint !== null && hint !== '';
  const hasError = error !== undefined && error !== null && error !== '' && error !== false;
  const labelId = `${controlId}-label`;
  const hintId = `${controlId}-hint`;
  const errorId = `${controlId}-error`;
  const describedBy = cx(hasError && errorId, hasHint && hintId);

  // aria-required, not required: the browser's own bubble would hide the words of the form.
  const control: FieldControlProps = {
    id: controlId,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': hasError || undefined,
    'aria-required': required || undefined,
  };

  return (
    <div className={cx('min-w-0', className)}>
      <label
        id={labelId}
        htmlFor={controlId}
        className={labelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}
      >
        {label}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {' *'}
          </span>
        )}
      </label>
      {children(control, labelId)}
      {hasHint && (
        <p id={hintId} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {/* Always there, so that an error appearing in it is announced. */}
      <div id={errorId} aria-live="polite">
        {hasError && (
          <p className="mt-1.5 flex items-start gap-1.5 text-sm text-danger">
            <CircleAlert aria-hidden="true" className="mt-[0.1875rem] size-3.5 shrink-0" />
            <span className="min-w-0">{error}</span>
          </p>
        )}
      </div>
    </div>
  );
}
